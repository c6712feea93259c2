import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { LANGS } from '../../src/domain/lang.ts';
import { appTools, operations } from '../../tools/index.ts';
import { FILES_WITH_VARIANTS } from '../files-with-variants.ts';
import { FEATURE_LAYERS, FEATURES } from './features.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = (path: string): string => readFileSync(join(root, path), 'utf8');

it('gives a file of advice a name that no other of the domain has', () => {
  const paths = readdirSync(join(root, 'src/domain'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts'));
  const ofAdvice = paths.filter((path) => path.startsWith('advice/'));
  const nameOf = (path: string): string => path.replace(/^.*\//, '');
  const counts = new Map<string, number>();
  for (const name of paths.map(nameOf)) counts.set(name, (counts.get(name) ?? 0) + 1);
  expect(ofAdvice.filter((path) => counts.get(nameOf(path)) !== 1)).toEqual([]);
  expect(ofAdvice.length).toBeGreaterThan(50);
});

/** Folders of a layer that are no feature, because they cut across all of them. */
const OTHER_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  // Files come in more languages than answers are given in.
  'src/language': [...LANGS, 'de', 'it', 'pt', 'text', 'words'],
  'src/domain': ['shares', 'text'],
  'src/schema': ['tables'],
  'src/store': ['copy', 'postgres', 'queries', 'schema', 'scope', 'sqlite'],
};

const subfolders = (path: string): string[] =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

const unknownFeatures = (layer: string, folders: readonly string[]): string[] =>
  folders.filter(
    (name) => !FEATURES.flat().includes(name) && !OTHER_FOLDERS[layer]?.includes(name),
  );

describe('the folders of a layer', () => {
  it.each(FEATURE_LAYERS)('have the names of features in %s', (layer) => {
    expect(unknownFeatures(layer, subfolders(layer))).toEqual([]);
  });

  it('are found where one has another name', () => {
    expect(unknownFeatures('src/schema', ['imports', 'soil'])).toEqual(['imports']);
    expect(unknownFeatures('src/schema', ['sqlite'])).toEqual(['sqlite']);
    expect(unknownFeatures('src/store', ['sqlite'])).toEqual([]);
  });
});

/** Its folder and its use case are of the company; the published list of toolsets says "soil". */
const OTHER_TOOLSET: Readonly<Record<string, string>> = { list_parcels: 'soil' };

const pathOf = (name: string): string => {
  const file = `${name.replaceAll('_', '-')}.ts`;
  const [folder] = subfolders('tools').filter((each) =>
    readdirSync(join(root, 'tools', each)).includes(file),
  );
  return `tools/${folder}/${file}`;
};

/** The features whose use cases a tool imports. */
const useCasesIn = (source: string): string[] => [
  ...new Set([...source.matchAll(/src\/service\/(\w+)\//g)].map(([, feature]) => feature!)),
];

describe.each([...operations, ...appTools].map((each) => [each.name, each] as const))(
  'the tool %s',
  (name, { toolset }) => {
    const path = pathOf(name);
    const feature = path.split('/')[1];

    it('is in the toolset of its folder', () => {
      expect(OTHER_TOOLSET[name] ?? feature).toBe(toolset);
    });

    it('runs a use case of its own feature', () => {
      expect(useCasesIn(text(path))).toContain(feature);
    });
  },
);

it('finds the features whose use cases a tool runs', () => {
  const source =
    "import { a } from '../../src/service/soil/a.ts';\nimport '../../src/service/b.ts';";
  expect(useCasesIn(source)).toEqual(['soil']);
});

it('deep runs have each file of tests of the program that has variants', () => {
  const folder = join(root, 'test', 'acceptance');
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.test.ts') && !name.endsWith('.deep.test.ts'))
    .filter((name) =>
      /\b(isDeepRun|itInDeepRuns|propertyRuns|toolsFor(?:File|Test)|situationFarm|TRIED_CONNECTIONS)\b/.test(
        readFileSync(join(folder, name), 'utf8'),
      ),
    )
    .map((name) => `test/acceptance/${name}`);
  expect(found.sort()).toEqual([...FILES_WITH_VARIANTS].sort());
});
