import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';
import { describe, expect, it } from 'vitest';
import { LANGS } from '../../src/domain/lang.ts';
import { englishWordIn } from '../english-word-pattern.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const files = ['src', 'tools'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)),
);
const source = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

function textsOf(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(textsOf);
  if (typeof node !== 'object' || node === null) return [];
  const { type, value, cooked } = node as { type?: string; value?: unknown; cooked?: unknown };
  if (type === 'ImportDeclaration' || type === 'TsLiteralType') return [];
  const own = type === 'StringLiteral' ? [value] : type === 'TemplateElement' ? [cooked] : [];
  return [
    ...own.filter((each) => typeof each === 'string'),
    ...Object.values(node).flatMap(textsOf),
  ];
}

const translated = files.filter(
  (file) => /^src.language.(?!en\b)[a-z]{2}\b/.test(file) && !/(index|words)\.ts$/.test(file),
);

describe('texts for users', () => {
  it.each(translated)('have no English word in %s', (file) => {
    const texts = textsOf(parseSync(source(file), { syntax: 'typescript' }));
    const englishWord = englishWordIn(/^src.language.([a-z]{2})/.exec(file)![1]!);
    expect(texts.filter((text) => englishWord.test(text))).toEqual([]);
  });

  it('have the same files for each language', () => {
    const namesIn = (language: string) =>
      readdirSync(join(ROOT, 'src', 'language', language)).sort();
    for (const lang of LANGS) expect(namesIn(lang)).toEqual(namesIn('en'));
  });

  it('are in the folder of their language, which only the index names', () => {
    const table = new RegExp(`\\b(${LANGS.join('|')}): |=== '(${LANGS.join('|')})'|Record<Lang,`);
    const outside = files.filter((file) => !/^src.language.([a-z]{2}\b|words\b|index)/.test(file));
    expect(outside.filter((file) => table.test(source(file)))).toEqual([]);
  });

  it('are written nowhere else: a note is a phrase of a language', () => {
    const useCases = files.filter((file) => /^src.service.|^tools./.test(file));
    expect(
      useCases.filter((file) =>
        /language\/advisories\.ts|\bdescribeAdvisories\b/.test(source(file)),
      ),
    ).toEqual([]);
    const tools = files.filter(
      (file) =>
        /\bsummary:/.test(source(file)) &&
        !/isRestOnly/.test(source(file)) &&
        file.startsWith('tools'),
    );
    expect(tools.length).toBeGreaterThan(30);
    expect(
      tools.filter((file) => !/\bsummary: (\(.*\) => )?summarize\w+/.test(source(file))),
    ).toEqual([]);
  });
});
