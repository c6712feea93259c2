import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';
import { describe, expect, it } from 'vitest';
import { LANGS } from '../../src/domain/lang.ts';
import { withoutCaseAndAccents } from '../../src/domain/strings.ts';
import { englishWordIn } from '../english-word-pattern.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const files = ['src', 'tools'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)),
);
const source = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

interface TextNode {
  readonly type?: string;
  readonly value?: unknown;
  readonly cooked?: unknown;
  readonly pattern?: unknown;
}

function ownTextsOf({ type, value, cooked, pattern }: TextNode): unknown[] {
  if (type === 'StringLiteral') return [value];
  if (type === 'RegExpLiteral') return [pattern];
  return type === 'TemplateElement' ? [cooked] : [];
}

function textsOf(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(textsOf);
  if (typeof node !== 'object' || node === null) return [];
  const { type } = node as TextNode;
  if (type === 'ImportDeclaration' || type === 'TsLiteralType') return [];
  const own = ownTextsOf(node as TextNode);
  return [
    ...own.filter((each) => typeof each === 'string'),
    ...Object.values(node).flatMap(textsOf),
  ];
}

const LETTERS = /\p{L}{3,}/gu;

const wordsOf = (file: string): string[] =>
  textsOf(parseSync(source(file), { syntax: 'typescript' })).flatMap(
    (text) => text.toLowerCase().match(LETTERS) ?? [],
  );

/** The words that people of other languages say, but for those that are English too. */
const FOREIGN_WORDS = new Set(
  LANGS.filter((lang) => lang !== 'en').flatMap((lang) =>
    ['words', 'measurements'].flatMap((name) => wordsOf(`src/language/${lang}/${name}.ts`)),
  ),
);
for (const file of files)
  if (/^src.language.(en|advice|alerts|irrigation)\b/.test(file))
    for (const word of wordsOf(file)) FOREIGN_WORDS.delete(word);
/** In CSS, in the name of a farm, in seconds, and units in British spelling. */
for (const word of ['media', 'mas', 'sec', 'metre', 'metres', 'litres', 'centimetres'])
  FOREIGN_WORDS.delete(word);

/** The whole text: America/Los_Angeles. */
const TIME_ZONE = /^[A-Z]\w+\/[A-Z]\w+$/;

const foreignWordsIn = (text: string): string[] =>
  textsOf(parseSync(text, { syntax: 'typescript' }))
    .filter((each) => !TIME_ZONE.test(each))
    .flatMap((each) => each.match(LETTERS) ?? [])
    .filter((word) => FOREIGN_WORDS.has(withoutCaseAndAccents(word)));

/**
 * Words that sentences elsewhere are made of, those of the languages among them, mails, which are
 * tested whole, and the renderer, which every table uses.
 */
const WITHOUT_TABLE =
  /^src.language.(([a-z]{2}|words|mail)\b|alerts.alert-kind-words|text.render[.])/;

const makesSentences = (file: string, text: string): boolean =>
  /^src.language\b/.test(file) && !WITHOUT_TABLE.test(file) && /\bsay`/.test(text);

const tableOf = (file: string): string => file.replace(/^src/, 'test').replace(/\.ts$/, '.test.ts');

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

  it('leave no word of a language outside of its folder', () => {
    const outside = files.filter((file) => !/^src.language.[a-z]{2}\b/.test(file));
    expect(outside.length).toBeGreaterThan(500);
    const found = outside.flatMap((file) =>
      foreignWordsIn(source(file)).map((word) => `${file}: ${word}`),
    );
    expect(found).toEqual([]);
  });

  it('have a table of facts and sentences beside the module that makes them', () => {
    const makers = files.filter((file) => makesSentences(file, source(file)));
    expect(makers.length).toBeGreaterThan(45);
    expect(makers.filter((file) => !existsSync(join(ROOT, tableOf(file))))).toEqual([]);
  });

  it.each([
    ['src/language/soil/soil-summary.ts', true],
    ['src/language/advisories.ts', true],
    ['src/language/en/mail.ts', false],
    ['src/language/mail/mail-draft.ts', false],
    ['src/service/soil/soil-profile.ts', false],
  ])('are made in %s: %s', (file, isExpected) => {
    expect(makesSentences(file, 'say`Dry.`')).toBe(isExpected);
    expect(makesSentences(file, "import { essay } from './a.ts';")).toBe(false);
  });

  it.each([
    [`const YES = /^(y|yes|o|oui)$/i;`, ['oui']],
    [`const UNITS = ['day', 'jour', 'fecha'];`, ['jour', 'fecha']],
    [`export const plural = { en: 'moisture', fr: 'humidité' };`, ['humidité']],
    [`const ZONES = ['America/Los_Angeles', 'los'];`, ['los']],
    [`const TEXT = 'Soil moisture, 30 % at 10 cm'; // oui`, []],
  ])('would be found in %s', (text, words) => expect(foreignWordsIn(text)).toEqual(words));

  it('are written nowhere else: a note is a phrase of a language', () => {
    const useCases = files.filter((file) => /^src.service.|^tools./.test(file));
    expect(
      useCases.filter((file) =>
        /language\/advisories\.ts|\bdescribeAdvisories\b/.test(source(file)),
      ),
    ).toEqual([]);
    const tools = files.filter(
      (file) => /\bsummary:/.test(source(file)) && file.startsWith('tools'),
    );
    expect(tools.length).toBeGreaterThan(30);
    expect(
      tools.filter((file) => !/\bsummary: (\(.*\) => )?summarize\w+/.test(source(file))),
    ).toEqual([]);
  });
});
