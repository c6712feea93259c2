import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import swc from '@swc/core';
import { cruise, type IFlattenedRuleSet } from 'dependency-cruiser';
import { expect, it } from 'vitest';

/** Lowest first: each layer may import itself and the earlier ones. Layers on one line may not import each other. */
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

/** Features inside a layer, lowest first. Files at a layer's root are below all of them. */
const FEATURES: readonly (readonly string[])[] = [
  ['company'],
  ['soil'],
  ['moisture'],
  ['mail', 'keys'],
  ['alerts'],
  ['weather'],
  ['irrigation'],
  ['monitoring'],
  ['ingest', 'farm', 'advice'],
  ['changes', 'jobs'],
];

/** Layers whose folders are features. */
const FEATURE_LAYERS = ['src/domain', 'src/language', 'src/store', 'src/service', 'tools'];

const inFolders = (folders: readonly string[]): string => `^(${folders.join('|')})/`;

const upwardRules = LAYERS.flatMap((layer, rank) =>
  layer.map((folder) => ({
    name: `${folder} imports only lower layers`,
    severity: 'error' as const,
    // The command "demo" loads the demo lazily.
    from: { path: inFolders([folder]), pathNot: '^src/cli/commands[.]ts$' },
    to: { path: inFolders([...layer.filter((other) => other !== folder), ...LAYERS.slice(rank + 1).flat()]) },
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
      to: { path: '^src/page/', pathNot: '^src/page/theme-css[.]ts$' },
    },
    {
      name: 'src/page imports no files or fonts with src/chart',
      severity: 'error',
      from: { path: '^src/page/' },
      to: { path: '^src/chart/(font|picture|moisture-scene)[.]ts$' },
    },
    onlyIn('^src/page/', '(^|node_modules/)preact(/|$)'),
    onlyIn('^src/mcp/', '@modelcontextprotocol/sdk'),
    onlyIn('^src/http/', '(^|node_modules/)@?hono(/|$)'),
    onlyIn('^src/(http/oauth/|mcp/questions/call-rounds[.]ts$)', '(^|node_modules/)jose(/|$)'),
    onlyIn('^src/remote/', '(^|node_modules/)undici(/|$)'),
    onlyIn('^src/cli/', '(^|node_modules/)nodemailer(/|$)'),
    onlyIn('^src/store/', '@photostructure/sqlite'),
    onlyIn('^src/observe/', '(^|node_modules/)(prom-client|@opentelemetry)(/|$)'),
    onlyIn('^src/cli/', '(^|node_modules/)pino(/|$)'),
    onlyIn('^src/chart/', '(^|node_modules/)@resvg/resvg-js(/|$)'),
    onlyIn('^src/operation/json-schema[.]ts$', 'zod-to-json-schema'),
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
  parseFileSync(file, { ...options, syntax: 'typescript', tsx: file.endsWith('.tsx') })) as typeof parseFileSync;

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
    violations: output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`),
  };
}

const root = fileURLToPath(new URL('../../', import.meta.url));

async function checkFixture(files: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'acequia-layers-'));
  try {
    for (const [path, text] of Object.entries({ 'src/a.ts': '', 'tools/a.ts': '', 'demo/a.ts': '', ...files })) {
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
    await Promise.all(['src', 'tools', 'demo'].map((folder) => readdir(join(root, folder), { recursive: true })))
  )
    .flat()
    .filter((file) => /[.]tsx?$/.test(file));
  expect(violations).toEqual([]);
  expect(modules).toBe(files.length);
  expect(modules).toBeGreaterThan(80);
  expect(edges).toBeGreaterThan(modules);
});

it.each([
  ['src/domain', 'src/language'],
  ['src/domain', 'src/schema'],
  ['src/schema', 'src/language'],
  ['src/language', 'src/chart'],
  ['src/chart', 'src/store'],
  ['src/page', 'src/store'],
  ['src/page', 'src/http'],
  ['src/schema', 'src/store'],
  ['src/store', 'src/operation'],
  ['src/operation', 'src/service'],
  ['src/service', 'tools'],
  ['tools', 'src/mcp'],
  ['src/mcp', 'src/http'],
  ['src/http', 'src/mcp'],
  ['src/remote', 'src/mcp'],
  ['src/mcp', 'src/cli'],
  ['src/domain', 'src/cli'],
])('finds that %s imports from %s, also a type alone', async (from, to) => {
  const up = (path: string) => '../'.repeat(path.split('/').length);
  for (const words of ['import { b }', 'import type { B as b }']) {
    const { violations, modules } = await checkFixture({
      [`${from}/one.ts`]: `${words} from '${up(from)}${to}/two.ts'; export const a: unknown = null as unknown as typeof b;`,
      [`${to}/two.ts`]: 'export const b = 1; export type B = number;',
    });
    expect(violations).toEqual([`${from} imports only lower layers: ${from}/one.ts -> ${to}/two.ts`]);
    expect(modules).toBe(5);
  }
});

it.each([
  ['src/domain/soil', 'src/domain/alerts'],
  ['src/service/alerts', 'src/service/irrigation'],
  ['src/store/irrigation', 'src/store/monitoring'],
  ['src/service/farm', 'src/service/ingest'],
  ['src/service/advice', 'src/service/jobs'],
])('finds that %s imports from %s', async (from, to) => {
  const { violations } = await checkFixture({
    [`${from}/one.ts`]: `import { b } from '../${to.split('/').at(-1)}/two.ts'; export const a = b;`,
    [`${to}/two.ts`]: 'export const b = 1;',
  });
  expect(violations).toEqual([`${from} imports only features below it: ${from}/one.ts -> ${to}/two.ts`]);
});

it('lets the upper layers import the lower ones', async () => {
  const { violations, edges } = await checkFixture({
    'src/cli/one.ts': "import { b } from '../mcp/two.ts'; export const a = b;",
    'src/mcp/two.ts': "import { c } from '../domain/three.ts'; export const b = c;",
    'src/domain/three.ts': 'export const c = 1;',
  });
  expect(violations).toEqual([]);
  expect(edges).toBe(2);
});

it('finds a cycle of imports', async () => {
  const { violations } = await checkFixture({
    'src/domain/one.ts': "import { b } from './two.ts'; export const a = () => b;",
    'src/domain/two.ts': "import { a } from './one.ts'; export const b = () => a;",
  });
  expect(violations).toContain('no circular imports: src/domain/one.ts -> src/domain/two.ts');
});

it.each([
  ['src/cli/one.ts', '@modelcontextprotocol/sdk/types.js', 'only ^src/mcp/ imports @modelcontextprotocol/sdk'],
  ['src/cli/one.ts', 'hono', 'only ^src/http/ imports (^|node_modules/)@?hono(/|$)'],
  ['src/cli/two.ts', '@hono/node-server', 'only ^src/http/ imports (^|node_modules/)@?hono(/|$)'],
  ['src/service/one.ts', 'nodemailer', 'only ^src/cli/ imports (^|node_modules/)nodemailer(/|$)'],
  [
    'src/http/one.ts',
    'jose',
    'only ^src/(http/oauth/|mcp/questions/call-rounds[.]ts$) imports (^|node_modules/)jose(/|$)',
  ],
  ['src/http/one.ts', 'undici', 'only ^src/remote/ imports (^|node_modules/)undici(/|$)'],
  ['src/service/one.ts', '@photostructure/sqlite', 'only ^src/store/ imports @photostructure/sqlite'],
  ['src/service/one.ts', '@resvg/resvg-js', 'only ^src/chart/ imports (^|node_modules/)@resvg/resvg-js(/|$)'],
  ['src/mcp/one.ts', 'zod-to-json-schema', 'only ^src/operation/json-schema[.]ts$ imports zod-to-json-schema'],
  ['src/domain/one.ts', 'node:fs', 'src/domain imports no Node.js modules'],
  ['src/chart/one.ts', 'preact', 'only ^src/page/ imports (^|node_modules/)preact(/|$)'],
])('finds that %s imports %s', async (file, imported, rule) => {
  const { violations } = await checkFixture({ [file]: `import * as b from '${imported}'; export const a = b;` });
  expect(violations.map((violation) => violation.split(': ')[0])).toEqual([rule]);
});

it.each([
  ['src/http/one.ts', 'src/page/two.ts', ['src/page runs in a browser alone']],
  ['src/page/one.tsx', 'src/chart/font.ts', ['src/page imports no files or fonts with src/chart']],
  ['src/page/one.tsx', 'src/chart/time-axis.ts', []],
  ['src/page/one.tsx', 'src/domain/two.ts', []],
])('judges that %s imports %s', async (file, imported, rules) => {
  const { violations } = await checkFixture({
    [file]: `import { b } from '../../${imported}'; export const a = b;`,
    [imported]: 'export const b = 1;',
  });
  expect(violations.map((violation) => violation.split(': ')[0])).toEqual(rules);
});
