import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import swc from '@swc/core';
import { cruise, type IFlattenedRuleSet } from 'dependency-cruiser';
import { expect, it } from 'vitest';
import { FEATURE_LAYERS, FEATURES } from './features.ts';

/**
 * Lowest first: each layer may import itself and the earlier ones. Layers on one line may not
 * import each other.
 */
const LAYERS: readonly (readonly string[])[] = [
  ['src/domain'],
  ['src/schema'],
  ['src/language'],
  ['src/chart'],
  ['src/page'],
  ['src/store'],
  ['src/observe'],
  ['src/operation'],
  ['src/service'],
  ['tools'],
  ['src/mcp', 'src/http', 'src/remote'],
  ['src/cli'],
  ['demo'],
];

const inFolders = (folders: readonly string[]): string => `^(${folders.join('|')})/`;

const upwardRules = LAYERS.flatMap((layer, rank) =>
  layer.map((folder) => ({
    name: `${folder} imports only lower layers`,
    severity: 'error' as const,
    // The command "demo" loads the demo lazily.
    from: { path: inFolders([folder]), pathNot: '^src/cli/demo-command[.]ts$' },
    to: {
      path: inFolders(
        [...layer.filter((other) => other !== folder), ...LAYERS.slice(rank + 1).flat()].filter(
          (upper) => folder !== 'src/page' || upper !== 'tools',
        ),
      ),
    },
  })),
);

const featureRules = FEATURE_LAYERS.flatMap((layer) =>
  FEATURES.flatMap((line, rank) =>
    line.map((feature) => ({
      name: `${layer}/${feature} imports only features below it`,
      severity: 'error' as const,
      from: { path: `^${layer}/${feature}/` },
      to: {
        path: `^${layer}/(${[...line.filter((other) => other !== feature), ...FEATURES.slice(rank + 1).flat()].join('|')})/`,
      },
    })),
  ),
);

/** The packages of every era, with whatever comes after them. */
const MCP_SDK = '(^|node_modules/)@modelcontextprotocol/';
const HTTP_FRAMEWORK = '(^|node_modules/)(@?hono|express|fastify|koa)(/|$)';
const DATABASE_DRIVER =
  '(^|node_modules/)(pg|pg-copy-streams|pg-native|@photostructure/sqlite|better-sqlite3)(/|$)|^(node:)?sqlite$';
const MQTT = '(^|node_modules/)(mqtt|aedes)(/|$)';
const PAGE_OPERATIONS = '^src/page/service/page-operations[.]ts$';

const onlyIn = (folder: string, packages: string) => ({
  name: `only ${folder} imports ${packages}`,
  severity: 'error' as const,
  from: { path: '^(src|tools)/', pathNot: folder },
  to: { path: packages },
});

const RULES: IFlattenedRuleSet = {
  forbidden: [
    ...upwardRules,
    ...featureRules,
    { name: 'no circular imports', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'src/domain imports no Node.js modules',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'the program imports no tests, scripts, benchmarks, validation or evaluation',
      severity: 'error',
      from: { path: '^(src|tools)/' },
      to: { path: '^(test|scripts|bench|validate|eval)/' },
    },
    {
      name: 'src/page runs in a browser alone',
      severity: 'error',
      from: { path: '^(src|tools|demo)/', pathNot: '^src/page/' },
      to: { path: '^src/page/' },
    },
    {
      name: 'src/page imports tools only in page-operations.ts, which has types alone',
      severity: 'error',
      from: { path: '^src/page/', pathNot: PAGE_OPERATIONS },
      to: { path: '^tools/' },
    },
    {
      name: 'src/page imports no files or fonts with src/chart',
      severity: 'error',
      from: { path: '^src/page/' },
      to: { path: '^src/chart/(picture|moisture-scene)[.]ts$' },
    },
    onlyIn('^src/page/', '(^|node_modules/)preact(/|$)'),
    onlyIn('^src/mcp/', MCP_SDK),
    onlyIn('^src/http/', HTTP_FRAMEWORK),
    onlyIn('^src/store/', DATABASE_DRIVER),
    onlyIn('^src/cli/(ingest|home-assistant)/', MQTT),
    onlyIn('^src/service/mail/', '(^|node_modules/)web-push(/|$)'),
    onlyIn('^src/service/ingest/csv/', '(^|node_modules/)papaparse(/|$)'),
    onlyIn('^src/domain/zones[.]ts$', '(^|node_modules/)luxon(/|$)'),
    onlyIn('^src/cli/', '(^|node_modules/)commander(/|$)'),
    onlyIn('^src/(http/oauth/|mcp/questions/call-rounds[.]ts$)', '(^|node_modules/)jose(/|$)'),
    onlyIn('^src/remote/', '(^|node_modules/)undici(/|$)'),
    onlyIn('^src/cli/', '(^|node_modules/)nodemailer(/|$)'),
    onlyIn('^src/observe/', '(^|node_modules/)(prom-client|@opentelemetry)(/|$)'),
    onlyIn('^src/cli/', '(^|node_modules/)pino(/|$)'),
    onlyIn('^src/chart/', '(^|node_modules/)@resvg/resvg-js(/|$)'),
    onlyIn('^src/operation/schemas/json-schema[.]ts$', 'zod-to-json-schema'),
    onlyIn('^src/domain/zones[.]ts$', '(^|node_modules/)luxon(/|$)'),
  ],
};

interface ImportReport {
  /** A check that has read no modules proves nothing. */
  readonly modules: number;
  readonly edges: number;
  /** "rule: from -> to" */
  readonly violations: readonly string[];
}

// dependency-cruiser does not tell swc which files contain JSX.
const { parseFileSync } = swc;
swc.parseFileSync = ((file: string, options: swc.ParseOptions) =>
  parseFileSync(file, {
    ...options,
    syntax: 'typescript',
    tsx: file.endsWith('.tsx'),
  })) as typeof parseFileSync;

/** Imports of types count too. */
async function checkImports(baseDir: string): Promise<ImportReport> {
  const { output } = await cruise(
    ['src', 'tools', 'demo'],
    {
      baseDir,
      parser: 'swc',
      tsPreCompilationDeps: true,
      doNotFollow: { path: 'node_modules' },
      validate: true,
      ruleSet: RULES,
    },
    { extensions: ['.ts', '.tsx'] },
  );
  if (typeof output === 'string') throw new Error(output);
  const own = output.modules.filter(({ source }) => /^(src|tools|demo)\/.*[.]tsx?$/.test(source));
  return {
    modules: own.length,
    edges: own
      .flatMap(({ dependencies }) => dependencies)
      .filter(({ resolved }) => /^(src|tools|demo)\//.test(resolved)).length,
    violations: output.summary.violations.map(
      ({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`,
    ),
  };
}

const root = fileURLToPath(new URL('../../', import.meta.url));

async function checkFixture(files: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'acequia-layers-'));
  try {
    for (const [path, text] of Object.entries({
      'src/a.ts': '',
      'tools/a.ts': '',
      'demo/a.ts': '',
      ...files,
    })) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    return await checkImports(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

it('lets every module import only lower layers, and reads all modules', async () => {
  const { modules, edges, violations } = await checkImports(root);
  const files = (
    await Promise.all(
      ['src', 'tools', 'demo'].map((folder) => readdir(join(root, folder), { recursive: true })),
    )
  )
    .flat()
    .filter((file) => /[.]tsx?$/.test(file));
  expect(violations).toEqual([]);
  expect(modules).toBe(files.length);
  expect(modules).toBeGreaterThan(80);
  expect(edges).toBeGreaterThan(modules);
});

type Example = readonly [folder: string, imported: string, rule: string | null];

const upward = (folder: string, upper: string): Example => [
  ...([folder, `${upper}/two.ts`, `${folder} imports only lower layers`] as const),
];
const toFeature = (folder: string, other: string): Example => [
  ...([folder, `${other}/two.ts`, `${folder} imports only features below it`] as const),
];
const onlyOne = (folder: string, imported: string, owner: string, packages: string): Example => [
  ...([folder, imported, `only ${owner} imports ${packages}`] as const),
];

const EXAMPLES: readonly Example[] = [
  upward('src/domain', 'src/language'),
  upward('src/domain', 'src/schema'),
  upward('src/schema', 'src/language'),
  upward('src/language', 'src/chart'),
  upward('src/chart', 'src/store'),
  upward('src/page', 'src/store'),
  upward('src/page', 'src/http'),
  upward('src/schema', 'src/store'),
  upward('src/store', 'src/operation'),
  upward('src/operation', 'src/service'),
  upward('src/service', 'tools'),
  upward('tools', 'src/mcp'),
  upward('src/mcp', 'src/http'),
  upward('src/http', 'src/mcp'),
  upward('src/remote', 'src/mcp'),
  upward('src/mcp', 'src/cli'),
  upward('src/domain', 'src/cli'),
  toFeature('src/domain/soil', 'src/domain/alerts'),
  toFeature('src/service/alerts', 'src/service/irrigation'),
  toFeature('src/store/irrigation', 'src/store/monitoring'),
  toFeature('src/service/farm', 'src/service/ingest'),
  toFeature('src/service/advice', 'src/service/jobs'),
  ...[
    '@modelcontextprotocol/sdk/types.js',
    '@modelcontextprotocol/server',
    '@modelcontextprotocol/server/stdio',
    '@modelcontextprotocol/client',
  ].map((sdk) => onlyOne('src/cli', sdk, '^src/mcp/', MCP_SDK)),
  ...['hono', '@hono/node-server'].map((framework) =>
    onlyOne('src/cli', framework, '^src/http/', HTTP_FRAMEWORK),
  ),
  ...['pg', 'pg-copy-streams', '@photostructure/sqlite', 'node:sqlite'].map((driver) =>
    onlyOne('src/service', driver, '^src/store/', DATABASE_DRIVER),
  ),
  onlyOne('src/service', 'mqtt', '^src/cli/(ingest|home-assistant)/', MQTT),
  onlyOne('src/cli', 'mqtt', '^src/cli/(ingest|home-assistant)/', MQTT),
  ['src/cli/ingest', 'mqtt', null],
  onlyOne('src/cli', 'web-push', '^src/service/mail/', '(^|node_modules/)web-push(/|$)'),
  onlyOne('src/store', 'papaparse', '^src/service/ingest/csv/', '(^|node_modules/)papaparse(/|$)'),
  onlyOne('src/page', 'luxon', '^src/domain/zones[.]ts$', '(^|node_modules/)luxon(/|$)'),
  onlyOne('src/service', 'commander', '^src/cli/', '(^|node_modules/)commander(/|$)'),
  onlyOne('src/service', 'nodemailer', '^src/cli/', '(^|node_modules/)nodemailer(/|$)'),
  onlyOne(
    'src/http',
    'jose',
    '^src/(http/oauth/|mcp/questions/call-rounds[.]ts$)',
    '(^|node_modules/)jose(/|$)',
  ),
  onlyOne('src/http', 'undici', '^src/remote/', '(^|node_modules/)undici(/|$)'),
  onlyOne('src/service', '@resvg/resvg-js', '^src/chart/', '(^|node_modules/)@resvg/resvg-js(/|$)'),
  onlyOne(
    'src/mcp',
    'zod-to-json-schema',
    '^src/operation/schemas/json-schema[.]ts$',
    'zod-to-json-schema',
  ),
  onlyOne('src/language', 'luxon', '^src/domain/zones[.]ts$', '(^|node_modules/)luxon(/|$)'),
  onlyOne('src/chart', 'preact', '^src/page/', '(^|node_modules/)preact(/|$)'),
  ['src/domain', 'node:fs', 'src/domain imports no Node.js modules'],
  ['src/http', 'src/page/two.ts', 'src/page runs in a browser alone'],
  ['src/page', 'src/chart/picture.ts', 'src/page imports no files or fonts with src/chart'],
  ['src/page', 'src/chart/time-axis.ts', null],
  ['src/page', 'src/domain/two.ts', null],
  ['src/cli', 'src/mcp/two.ts', null],
  ['src/mcp', 'src/domain/two.ts', null],
];

it('finds which imports break a rule, also those of a type alone', async () => {
  const files: Record<string, string> = {};
  const expected: string[] = [];
  for (const [index, [folder, imported, rule]] of EXAMPLES.entries()) {
    const isOwn = imported.endsWith('.ts');
    if (isOwn) files[imported] = 'export const b = 1; export type B = number;';
    const source = isOwn ? `${'../'.repeat(folder.split('/').length)}${imported}` : imported;
    const importers = { value: `import * as b from '${source}'; export const a = b;` };
    const typeImporter = { type: `import type { B } from '${source}'; export type A = B;` };
    for (const [kind, text] of Object.entries(
      isOwn ? { ...importers, ...typeImporter } : importers,
    )) {
      const file = `${folder}/${kind}-${index}.ts${folder === 'src/page' ? 'x' : ''}`;
      files[file] = text;
      if (rule !== null) expected.push(`${rule}: ${file}`);
    }
  }
  const { violations, modules } = await checkFixture(files);
  expect(violations.map((violation) => violation.split(' -> ')[0]).sort()).toEqual(expected.sort());
  // With one empty file in each layer root.
  expect(modules).toBe(Object.keys(files).length + 3);
});

it('finds a cycle of imports', async () => {
  const { violations } = await checkFixture({
    'src/domain/one.ts': "import { b } from './two.ts'; export const a = () => b;",
    'src/domain/two.ts': "import { a } from './one.ts'; export const b = () => a;",
  });
  expect(violations).toContain('no circular imports: src/domain/one.ts -> src/domain/two.ts');
});

it('lets one file of the page import tools, which adds nothing to the page', async () => {
  const importing = "import type { B } from '../../../tools/two.ts'; export type A = B;";
  const { violations } = await checkFixture({
    'tools/two.ts': 'export type B = number;',
    'src/page/service/page-operations.ts': importing,
    'src/page/service/other.ts': importing,
  });
  expect(violations).toEqual([
    'src/page imports tools only in page-operations.ts, which has types alone: src/page/service/other.ts -> tools/two.ts',
  ]);

  const source = await readFile(join(root, 'src/page/service/page-operations.ts'), 'utf8');
  const { body } = await swc.parse(source, { syntax: 'typescript' });
  const imports = body.filter(({ type }) => type === 'ImportDeclaration');
  expect(imports.length).toBeGreaterThan(10);
  expect(imports).toEqual(imports.map(() => expect.objectContaining({ typeOnly: true })));
});
