import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const source = (file: string): string => readFileSync(`${dist}${file}`, 'utf8');

function eagerImports(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  // Lazy imports have parentheses: import("./chunk.js").
  for (const [, other] of source(file).matchAll(/\b(?:from|import)\s*"\.\/([\w-]+\.js)"/g))
    eagerImports(other!, seen);
  return seen;
}

const chunks = readdirSync(dist).filter((name) => /^(start|chunk-.*)\.js$/.test(name));
const chunksContaining = (text: string): string[] =>
  chunks.filter((name) => source(name).includes(text));

it.each([
  ['metrics', 'collectDefaultMetrics'],
  ['traces', '_maxExportBatchSize'],
  ['access tokens', 'ERR_JWKS_NO_MATCHING_KEY'],
])('loads the packages for %s only when they are used', (_, text) => {
  const files = chunksContaining(text);
  expect(files.length).toBeGreaterThan(0);
  const start = eagerImports('acequia.js');
  expect(start.size).toBeGreaterThan(1);
  const commands = [...source('acequia.js').matchAll(/import\("\.\/([\w-]+\.js)"\)/g)].map(
    ([, name]) => name!,
  );
  expect(commands.length).toBeGreaterThan(5);
  for (const each of ['acequia.js', ...commands])
    expect(files.filter((file) => eagerImports(each).has(file))).toEqual([]);
});

it('loads one file beside the entry at startup, because each further file costs time', () => {
  expect([...eagerImports('acequia.js')].sort()).toEqual(['acequia.js', 'start.js']);
});
