// For each line {"tex", "display"}: what KaTeX says against the formula, "" where it sets it.
import fs from 'node:fs';
import katex from 'katex';

console.warn = () => {};
for (const line of fs.readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
  const { tex, display } = JSON.parse(line);
  let refusal = '';
  try {
    katex.renderToString(tex, { throwOnError: true, strict: 'ignore', displayMode: display, output: 'mathml' });
  } catch (error) {
    refusal = String(error.message).slice(0, 200);
  }
  console.log(JSON.stringify({ refusal }));
}
