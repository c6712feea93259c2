// Writes the tables of the README that follow from the code: the tools (from the operations), the limits and the packages;
// and the morning that ends the demo, with its picture, into docs/. With --check it changes nothing and fails when a table
// is out of date; the morning is held by the test of the demo, which plays it on the same day.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const file = join(root, 'README.md');
const catalog = JSON.parse(await readFile(join(root, 'dist', 'catalog.json'), 'utf8'));
const operations = JSON.parse(await readFile(join(root, 'dist', 'operations.json'), 'utf8'));
const packages = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const reasons = JSON.parse(await readFile(join(root, 'scripts', 'packages.json'), 'utf8'));

const firstSentence = (text) => /^.*?[.](?= |$)/.exec(text)[0];

function toolTable() {
  const rows = catalog.tools.map(({ name, description }) => {
    const { toolset, endpoint, scope } = operations.find((each) => each.name === name);
    return `| \`${name}\` | ${firstSentence(description)} | ${toolset} | \`${endpoint.method} ${endpoint.path}\` | ${scope} |`;
  });
  return ['| tool | what it does | toolset | endpoint | scope |', '|---|---|---|---|---|', ...rows].join('\n');
}

/** The limits over HTTP, from the file that the options of "acequia serve" come from; it imports nothing. */
async function limitTable() {
  const { transform } = await import('esbuild');
  const source = await readFile(join(root, 'src', 'http', 'limits.ts'), 'utf8');
  const { code } = await transform(source, { loader: 'ts', format: 'esm' });
  const { LIMITS } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const rows = LIMITS.map(
    (each) =>
      `| ${each.text} | ${each.default.toLocaleString('en')} | \`${each.option}\`, \`${each.env}\` | ${each.refusal} |`,
  );
  return ['| limit | default | option, environment | beyond it |', '|---|---|---|---|', ...rows].join('\n');
}

function packageTable() {
  const listed = [
    ...Object.keys(packages.dependencies).map((name) => [name, 'at run time, installed']),
    ...Object.keys(packages.devDependencies).map((name) => [name, reasons[name]?.where]),
  ];
  const unexplained = listed.filter(([name]) => !reasons[name]);
  if (unexplained.length > 0)
    throw new Error(`scripts/packages.json gives no reason for ${unexplained.map(([name]) => name).join(', ')}`);
  const rows = listed.map(([name, where]) => `| ${name} | ${where} | ${reasons[name].why} |`);
  return ['| package | where | why |', '|---|---|---|', ...rows].join('\n');
}

const between = (text, name, content) => {
  const marks = new RegExp(`(<!-- ${name}: generated -->\\n)[\\s\\S]*?(<!-- /${name} -->)`);
  if (!marks.test(text)) throw new Error(`README.md has no place for ${name}`);
  return text.replace(marks, (_, open, close) => `${open}\n${content}\n\n${close}`);
};

const before = await readFile(file, 'utf8');
const tables = { tools: toolTable(), limits: await limitTable(), packages: packageTable() };
const after = Object.entries(tables).reduce((text, [name, table]) => between(text, name, table), before);
if (process.argv.includes('--check')) {
  if (before !== after) {
    process.stderr.write('README.md is out of date: run "npm run docs".\n');
    process.exit(1);
  }
} else {
  await writeFile(file, after);
  await writeMorning();
}

/** The demo writes a-morning.md and a-morning.png beside a farm of the name a.db. */
async function writeMorning() {
  const folder = await mkdtemp(join(tmpdir(), 'acequia-docs-'));
  const demo = ['demo', '--db', join(folder, 'a.db'), '--clock', '2026-07-14T09:20:00Z'];
  try {
    await promisify(execFile)(process.execPath, [join(root, 'dist', 'acequia.js'), ...demo]);
    await mkdir(join(root, 'docs'), { recursive: true });
    for (const name of ['a-morning.md', 'a-morning.png']) await copyFile(join(folder, name), join(root, 'docs', name));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
