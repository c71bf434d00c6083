"""Raw material to problems: MathML, documents, exams and dumps; clean LaTeX; open questions."""
