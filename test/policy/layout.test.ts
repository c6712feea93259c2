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

const subfolders = (path: string): string[] =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

/** Files come in more languages than answers are given in. */
const FILE_LANGUAGES = [...LANGS, 'de', 'it', 'pt'];

/** What differs in the two stores and in the languages has a folder each, with the same names. */
const FOLDERS_OF_VARIANTS = ['sqlite', 'postgres', ...FILE_LANGUAGES];

/** Base names that stand for two files of one layer. */
function sharedNames(paths: readonly string[]): string[] {
  const places = new Map<string, string[]>();
  for (const path of paths) {
    const folders = path.split('/').slice(0, -1);
    if (folders.some((folder) => FOLDERS_OF_VARIANTS.includes(folder))) continue;
    const name = path.slice(path.lastIndexOf('/') + 1);
    places.set(name, [...(places.get(name) ?? []), path]);
  }
  return [...places.values()].filter((found) => found.length > 1).map((found) => found.join(', '));
}

describe('the name of a file', () => {
  it.each([...subfolders('src').map((layer) => `src/${layer}`), 'tools'])(
    'is used once in %s',
    (layer) => {
      const paths = readdirSync(join(root, layer), { recursive: true, encoding: 'utf8' })
        .map((path) => path.replaceAll('\\', '/'))
        .filter((path) => /\.tsx?$/.test(path));
      expect(paths.length).toBeGreaterThan(2);
      expect(sharedNames(paths)).toEqual([]);
    },
  );

  it('is found where two files of a layer have it', () => {
    const paths = ['text.ts', 'text/text.ts', 'sqlite/view.ts', 'postgres/view.ts', 'fr/mail.ts'];
    expect(sharedNames([...paths, 'mail.ts'])).toEqual(['text.ts, text/text.ts']);
  });
});

/** Folders of a layer that are no feature, because they cut across all of them. */
const OTHER_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  'src/language': [...FILE_LANGUAGES, 'text', 'words'],
  'src/domain': ['shares', 'text'],
  'src/schema': ['tables'],
  'src/store': ['copy', 'postgres', 'queries', 'schema', 'scope', 'sqlite'],
};

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
      /\b(isDeepRun|itInDeepRuns|propertyRuns|toolsFor(?:File|Test)|toolSurface|situationFarm|TRIED_CONNECTIONS|KEY_TRANSPORTS)\b/.test(
        readFileSync(join(folder, name), 'utf8'),
      ),
    )
    .map((name) => `test/acceptance/${name}`);
  expect(found.sort()).toEqual([...FILES_WITH_VARIANTS].sort());
});
