import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toolInputSchema } from '../../src/operation/schemas/tool-input-schema.ts';
import { toolsByName } from '../../tools/index.ts';

const FOLDER = 'src/language';
const phraseFiles = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !/search-words|page\.ts/.test(file),
);

/** The source without comments and imports. */
const sourceOf = (file: string): string =>
  readFileSync(join(FOLDER, file), 'utf8')
    .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    .replace(/^(import|export)\b[^;]*? from '[^']*';$/gm, '');

const MARKED_CALL = /\b(call|sameCallWith|action)\(([^()]*(\([^()]*\)[^()]*)*)\)/g;

const toolNames = [...toolsByName.keys()].filter((name) => name.includes('_'));

describe('calls that come next', () => {
  it('name tools and arguments that exist', () => {
    const calls = phraseFiles.flatMap((file) => [
      ...sourceOf(file).matchAll(/\bcall\(\s*'(\w+)'((?:,\s*['`][^'`]*['`])*)/g),
    ]);
    expect(calls.length).toBeGreaterThan(60);

    const unknown = calls.flatMap(([call, tool = '', args = '']) => {
      const operation = toolsByName.get(tool);
      if (operation === undefined) return [call];
      const { properties = {} } = toolInputSchema(operation);
      const names = [...args.matchAll(/['`](\w+)/g)].map(([, name = '']) => name);
      return names.every((name) => name in properties) ? [] : [call];
    });
    expect(unknown).toEqual([]);
  });

  it('stand in no sentence otherwise', () => {
    const found = phraseFiles.flatMap((file) => {
      const sentences = sourceOf(file).replace(MARKED_CALL, '');
      return toolNames
        .filter((name) => new RegExp(`\\b${name}\\b`).test(sentences))
        .map((name) => `${file}: ${name}`);
    });
    expect(found).toEqual([]);
  });
});
