// Formulas that mathpix-markdown-it finds: lines {"id", "mmd"} -> {"id", "spans": [{"tex", "display"}]}.
// The npm packages are looked for from the working directory upwards; exit status 3: not there.
const { createRequire } = require("node:module");
const installed = createRequire(process.cwd() + "/");
console.log = (...words) => process.stderr.write(words.join(" ") + "\n"); // the library talks

let MarkdownIt, mathpixMarkdownPlugin;
try {
  MarkdownIt = installed("markdown-it");
  ({ mathpixMarkdownPlugin } = installed("mathpix-markdown-it"));
} catch (error) {
  process.stderr.write(error.message.split("\n")[0] + "\n");
  process.exit(3);
}
const parser = new MarkdownIt({ html: true }).use(mathpixMarkdownPlugin, {
  htmlTags: true,
  width: 800,
  outMath: { include_latex: true, include_svg: false, include_mathml: false },
});
const FORMULA = /^(inline|display|equation)_math(_not_number)?$/;

function* formulas(tokens) {
  for (const token of tokens) {
    if (token.children && token.children.length) yield* formulas(token.children);
    else if (FORMULA.test(token.type)) {
      yield { tex: token.content.trim(), display: !token.type.startsWith("inline") };
    }
  }
}

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  if (!line.trim()) return;
  const { id, mmd } = JSON.parse(line);
  const spans = [...formulas(parser.parse(mmd, {}))];
  process.stdout.write(JSON.stringify({ id, spans }) + "\n");
});
