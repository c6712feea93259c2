// Writes the generated tables of the documentation: tools, prompts, resources, limits, packages,
// clients, conformance and the grid of folders. It also draws docs/icon-*.png, and writes
// docs/a-morning.md and its picture from a run of the demo, and excerpts of it into README.md. With --tables it writes the tables
// alone. With --check it changes nothing and fails if a table is out of date; a test of the demo
// checks docs/a-morning.md.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { clientRows, conformanceRows, mcpjamRows, modelRows } from './client-tables.mjs';
import { conversationRows } from './readme-conversation.mjs';
import { root } from './repository.mjs';

const readText = (...path) => readFile(join(root, ...path), 'utf8');
const readJson = async (...path) => JSON.parse(await readText(...path));

const catalog = await readJson('dist', 'catalog.json');

function tableOf(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

const firstSentence = (text) => /^.*?[.](?= |$)/.exec(text)[0];

async function toolTable(tools) {
  const operations = await readJson('dist', 'operations.json');
  const rows = tools.map(({ name, description }) => {
    const { toolset, inDailyToolset, endpoint, scope } = operations.find(
      (operation) => operation.name === name,
    );
    return [
      `\`${name}\``,
      firstSentence(description),
      inDailyToolset ? `${toolset}, daily` : toolset,
      `\`${endpoint.method} ${endpoint.path}\``,
      scope,
    ];
  });
  return tableOf(['tool', 'what it does', 'toolset', 'endpoint', 'scope'], rows);
}

const CALLERS = { 'app-entry': 'the model and the page', 'app-only': 'the page alone' };

const appToolTable = () =>
  tableOf(
    ['tool', 'what it does', 'called by'],
    catalog.appTools.map(({ name, description }) => [
      `\`${name}\``,
      firstSentence(description),
      CALLERS[catalog.operations[name].page.audience],
    ]),
  );

const promptTable = () =>
  tableOf(
    ['prompt', 'what it does'],
    catalog.prompts.map(({ name, description }) => [`\`${name}\``, description]),
  );

function resourceTable() {
  const all = [...catalog.resources, ...catalog.resourceTemplates];
  const rows = all.map(({ uri, uriTemplate, description }) => [
    `\`${uri ?? uriTemplate}\``,
    description,
  ]);
  return tableOf(['resource', 'what it holds'], rows);
}

/** Imports a source file that must not import values of other files. */
async function importSource(...path) {
  const { transform } = await import('esbuild');
  const { code } = await transform(await readText(...path), { loader: 'ts', format: 'esm' });
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}

async function limitTable() {
  const { HTTP_LIMITS, limitVariable } = await importSource('src', 'http', 'http-limits.ts');
  const rows = Object.values(HTTP_LIMITS).map((limit) => [
    limit.description,
    limit.default.toLocaleString('en'),
    `\`${limit.option}\`, \`${limitVariable(limit)}\``,
    limit.refusal,
  ]);
  return tableOf(['limit', 'default', 'option, environment', 'response beyond it'], rows);
}

async function shareTable() {
  const path = ['src', 'domain', 'shares', 'bounded-things.ts'];
  const { BOUNDED_IN_STORE, BOUNDED_THINGS } = await importSource(...path);
  const amount = (value, unit) =>
    unit === 'bytes' ? `${value / 1_048_576} MiB` : value.toLocaleString('en');
  const waits = ({ waiting }) =>
    waiting
      ? `${amount(waiting.ofCompany)}, ${waiting.ms ? `${waiting.ms / 1_000} s` : 'until its turn'}`
      : 'none';

  const rows = Object.values(BOUNDED_THINGS).map((thing) => [
    thing.what,
    ...[thing.size, thing.ofCompany, thing.ofKey].map((value) => amount(value, thing.unit)),
    thing.lasts ? 'lasts' : 'in turn',
    waits(thing),
    thing.refusal,
  ]);
  for (const { what, ofCompany, given, wait, refusal } of BOUNDED_IN_STORE)
    rows.push([what, 'any', ofCompany, 'any', given, wait, refusal]);
  const head = ['what', 'in all', 'of a company', 'of a key', 'given', 'wait at most', 'beyond it'];
  return tableOf(head, rows);
}

async function packageTable() {
  const { dependencies, devDependencies } = await readJson('package.json');
  const reasons = await readJson('scripts', 'packages.json');
  const names = [...Object.keys(dependencies), ...Object.keys(devDependencies)];
  const unexplained = names.filter((name) => !reasons[name]);
  if (unexplained.length > 0)
    throw new Error(`scripts/packages.json does not explain ${unexplained.join(', ')}`);
  const unused = Object.keys(reasons).filter((name) => !names.includes(name));
  if (unused.length > 0)
    throw new Error(`scripts/packages.json explains ${unused.join(', ')}, not in package.json`);
  const rows = names.map((name) => [
    name,
    name in dependencies ? 'at run time' : reasons[name].where,
    reasons[name].why,
  ]);
  return tableOf(['package', 'where', 'why'], rows);
}

const LAYERS = [
  'src/domain',
  'src/schema',
  'src/language',
  'src/store',
  'src/observe',
  'src/operation',
  'src/service',
];
const SURFACES = ['tools', 'src/chart', 'src/mcp', 'src/http', 'src/remote', 'src/page', 'src/cli'];
const FEATURES = [
  'irrigation',
  'moisture',
  'soil',
  'alerts',
  'mail',
  'company',
  'weather',
  'monitoring',
  'advice',
];
const SIDE_FEATURES = ['ingest', 'farm', 'keys', 'changes', 'jobs'];

function gridTable() {
  const features = [...FEATURES, ...SIDE_FEATURES];
  const rows = [...LAYERS, ...SURFACES]
    .map((layer) => [
      `\`${layer}\``,
      ...features.map((name) => (existsSync(join(root, layer, name)) ? '●' : '')),
    ])
    .filter((cells) => cells.includes('●'));
  return tableOf(['', ...features], rows);
}

const conversationTable = async () =>
  tableOf(['you say', 'Acequia answers'], conversationRows(await readText('docs', 'a-morning.md')));

const TABLES = [
  ['README.md', 'conversation', conversationTable],
  ['docs/tools.md', 'tools', () => toolTable(catalog.tools)],
  ['docs/mcp-apps.md', 'app-tools', appToolTable],
  ['docs/tools.md', 'prompts', promptTable],
  ['docs/tools.md', 'resources', resourceTable],
  ['docs/rest.md', 'limits', limitTable],
  ['docs/reliability.md', 'shares', shareTable],
  ['docs/packages.md', 'packages', packageTable],
  ['docs/architecture.md', 'grid', gridTable],
  ['docs/clients.md', 'clients', async () => tableOf(...(await clientRows()))],
  ['docs/clients.md', 'model', async () => tableOf(...(await modelRows()))],
  ['docs/clients.md', 'scenarios', async () => tableOf(...(await conformanceRows()))],
  ['docs/clients.md', 'mcpjam', async () => tableOf(...(await mcpjamRows()))],
];

function replaceTable(page, text, name, content) {
  const markers = new RegExp(`(<!-- ${name}: generated -->\\n)[\\s\\S]*?(<!-- /${name} -->)`);
  if (!markers.test(text)) throw new Error(`${page} has no markers for ${name}`);
  return text.replace(markers, (_, open, close) => `${open}\n${content}\n\n${close}`);
}

async function outdatedPages() {
  const pages = new Map();
  for (const [page, name, table] of TABLES) {
    // A page may have several tables.
    const before = pages.get(page)?.before ?? (await readText(page));
    const text = pages.get(page)?.text ?? before;
    pages.set(page, { before, text: replaceTable(page, text, name, await table()) });
  }
  return [...pages]
    .filter(([, { before, text }]) => before !== text)
    .map(([page, { text }]) => ({ page, text }));
}

async function drawIcons() {
  const { Resvg } = await import('@resvg/resvg-js');
  const drawing = await readText('docs', 'icon.svg');
  const draw = (value) => new Resvg(drawing, { fitTo: { mode: 'width', value } }).render().asPng();
  for (const width of [512, 48])
    await writeFile(join(root, 'docs', `icon-${width}.png`), draw(width));
}

/** The demo writes a-morning.md and a-morning.png beside its store. */
async function writeMorning() {
  const folder = await mkdtemp(join(tmpdir(), 'acequia-docs-'));
  const demo = ['demo', '--full', '--db', join(folder, 'a.db')];
  try {
    await promisify(execFile)(process.execPath, [join(root, 'dist', 'acequia.js'), ...demo]);
    for (const name of ['a-morning.md', 'a-morning.png'])
      await copyFile(join(folder, name), join(root, 'docs', name));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const isCheck = process.argv.includes('--check');
if (!isCheck && !process.argv.includes('--tables')) {
  await drawIcons();
  await writeMorning();
}
const outdated = await outdatedPages();
if (isCheck) {
  if (outdated.length > 0) {
    process.stderr.write(
      `Out of date: ${outdated.map(({ page }) => page).join(', ')}. Run "npm run docs".\n`,
    );
    process.exitCode = 1;
  }
} else {
  for (const { page, text } of outdated) await writeFile(join(root, page), text);
}
