import { cruise, type IFlattenedRuleSet } from 'dependency-cruiser';

/** Lowest first: each layer may import itself and the earlier ones. Layers on one line may not import each other. */
const LAYERS: readonly (readonly string[])[] = [
  ['src/domain'],
  ['src/schema'],
  ['src/language'],
  ['src/chart'],
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
  ['irrigation'],
  ['monitoring'],
  ['ingest', 'farm', 'advice'],
  ['jobs'],
];

/** Layers whose folders are features. */
const FEATURE_LAYERS = ['src/domain', 'src/language', 'src/store', 'src/service', 'tools'];

const inFolders = (folders: readonly string[]): string => `^(${folders.join('|')})/`;

const upwardRules = LAYERS.flatMap((layer, rank) =>
  layer.map((folder) => ({
    name: `${folder} imports only what stands below it`,
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
    { name: 'no file imports itself by a detour', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'the rules know no system',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'the program imports no tests, scripts or benchmarks',
      severity: 'error',
      from: { path: '^(src|tools)/' },
      to: { path: '^(test|scripts|bench)/' },
    },
    onlyIn('^src/mcp/', '@modelcontextprotocol/sdk'),
    onlyIn('^src/http/', '(^|node_modules/)@?hono(/|$)'),
    onlyIn('^src/remote/', '(^|node_modules/)undici(/|$)'),
    onlyIn('^src/cli/', '(^|node_modules/)nodemailer(/|$)'),
    onlyIn('^src/store/', '@photostructure/sqlite'),
    onlyIn('^src/observe/', '(^|node_modules/)(prom-client|@opentelemetry)(/|$)'),
    onlyIn('^src/cli/', '(^|node_modules/)pino(/|$)'),
    onlyIn('^src/chart/', '(^|node_modules/)@resvg/resvg-js(/|$)'),
    onlyIn('^src/operation/json-schema[.]ts$', 'zod-to-json-schema'),
  ],
};

export interface ImportReport {
  /** A check that has read no modules proves nothing. */
  readonly modules: number;
  readonly edges: number;
  /** "rule: from -> to" */
  readonly violations: readonly string[];
}

/** Imports of types count too. */
export async function checkImports(baseDir: string): Promise<ImportReport> {
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
    { extensions: ['.ts'] },
  );
  if (typeof output === 'string') throw new Error(output);
  const own = output.modules.filter(({ source }) => /^(src|tools|demo)\/.*[.]ts$/.test(source));
  return {
    modules: own.length,
    edges: own
      .flatMap(({ dependencies }) => dependencies)
      .filter(({ resolved }) => /^(src|tools|demo)\//.test(resolved)).length,
    violations: output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`),
  };
}
