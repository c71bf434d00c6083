// What KaTeX knows of each command, asked of KaTeX itself: node katex_table.mjs > ../../latex/katex.json
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

// its own tables are not exported: a copy of the module that exports them, too
const copy = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'katex-')), 'open.mjs');
const source = fs.readFileSync(new URL('node_modules/katex/dist/katex.mjs', import.meta.url), 'utf8');
fs.writeFileSync(copy, source + '\nexport { _functions, _environments, _macros, symbols };');
console.log = console.warn = console.error = () => {};
const { default: katex, _functions: functions, _environments: environments, _macros: macros, symbols } = await import(copy);
const sets = (tex, displayMode = true) => {
  try { katex.renderToString(tex, { throwOnError: true, strict: 'ignore', displayMode, trust: true }); return true; } catch (e) { if (e.name !== 'ParseError') return true; return false; }
};
const KINDS = { math: 'm', text: 't', hbox: 't', raw: 'r', url: 'r', size: 's', color: 'c', primitive: 'p', original: 'm' };
const FILL = { m: '{1}', t: '{a}', r: '{a}', s: '{1em}', c: '{red}', p: '1', d: '(', a: '{1}' };
const DELIMITED = new Set(['delimsizing', 'leftright', 'leftright-right', 'middle']);
// macros whose arguments are read otherwise than as formulas
const SPECIAL = { '\\substack': 'a', '\\llap': 't', '\\rlap': 't', '\\clap': 't', '\\underbar': 't', '\\operatorname': '*m', '\\hspace': '*s', '\\tag': '*t' };
const signature = (name) => {
  if (name in SPECIAL) return SPECIAL[name];
  const f = functions[name];
  if (f) {
    const kinds = [];
    for (let i = 0; i < f.numArgs + (f.numOptionalArgs ?? 0); i++) {
      let kind = KINDS[f.argTypes?.[i]] ?? (DELIMITED.has(f.type) ? 'd' : f.primitive ? 'p' : 'm');
      if (DELIMITED.has(f.type)) kind = 'd';
      kinds.push((i < (f.numOptionalArgs ?? 0) ? '?' : '') + kind);
    }
    return kinds.join('');
  }
  const m = macros[name];
  if (typeof m === 'string') return 'm'.repeat(Math.max(0, ...[...m.replaceAll('##', '').matchAll(/#(\d)/g)].map((x) => +x[1])));
  return ['\\Braket', '\\Set', '\\set'].includes(name) ? 'm' : '';
};
const filled = (s) => s.replace(/\?.|\*/g, '').split('').map((k) => FILL[k]).join('');
const commands = {};
const names = [...new Set([...Object.keys(functions), ...Object.keys(macros), ...Object.keys(symbols.math), ...Object.keys(symbols.text)])];
for (const name of names.sort()) {
  if (!/^\\(?:[A-Za-z]+|[^A-Za-z@\\])$/.test(name)) continue;
  const s = signature(name), use = name + filled(s);
  const whole = functions[name]?.infix ? `a${use} b` : name === '\\left' ? '\\left(a\\right)' : name === '\\middle' ? '\\left(a\\middle|b\\right)' : use;
  const flags = [sets(whole) && 'm', sets(`\\text{${use}}`) && 't', sets(`x^${use}`) && 's', sets(`${use}\\limits_1`) && 'l', functions[name]?.infix && 'i'].filter(Boolean).join('');
  if (flags) commands[name] = s ? `${flags} ${s}` : flags;
}
const ascii = [...Array(94)].map((_, i) => String.fromCharCode(33 + i)).filter((c) => !'\\{}%$^_&'.includes(c));
const table = {
  version: katex.version,
  commands,
  math: ascii.filter((c) => sets(c) && c !== "'").join(''),
  text: [...ascii, '_'].filter((c) => sets(`\\text{${c}}`)).join(''),
  delimiters: names.filter((n) => sets(`\\left${n} a\\right.`) || n === '.'),
  environments: Object.fromEntries(Object.entries(environments).map(([n, e]) => [n, (sets(`\\begin{${n}}${e.numArgs ? (n.includes('at') ? '{1}' : '{c}') : ''}a\\end{${n}}`, false) ? '' : 'd') + (e.numArgs ? (n.includes('at') ? 'n' : 'c') : '')])),
  accents: [...Array(112)].map((_, i) => String.fromCharCode(0x300 + i)).filter((c) => sets('a' + c)).join(''),
  scripts: [...Array(0x3000)].map((_, i) => String.fromCharCode(0x80 + i)).filter((c) => symbols.math[c] === undefined && !sets('a' + c + '^2') && sets('a' + c)).join(''),
};
process.stdout.write(JSON.stringify(table, null, 0).replaceAll('","', '",\n"').replaceAll('},', '},\n') + '\n');
