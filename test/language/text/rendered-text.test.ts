import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';
import { describe, expect, it } from 'vitest';
import { name, say } from '../../../src/domain/text/say.ts';
import { renderForAll } from '../../../src/language/text/render.ts';
import { type RenderedText, readText } from '../../../src/language/text/rendered-text.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * The channels: they alone read a rendered text, to send, print or store it. Beside each, which
 * patterns, methods of strings and functions over texts it uses: those for security (characters
 * that nobody sees, HTML, length), and what puts texts together.
 */
const CHANNELS: Readonly<Record<string, readonly string[]>> = {
  'src/cli/terminal-text.ts': ['visibleText'],
  'src/language/mail/mail-layout.ts': ['escapeHtml', 'htmlPage'],
  // `singleLine` and `mapTexts` clean what another service has sent.
  'src/operation/advisories-header.ts': ['mapTexts', 'singleLine'],
  // Questions to a person.
  'src/operation/question.ts': [],
  'src/mcp/tool-result.ts': ['singleLine', 'trim', 'visibleJson', 'visibleText', 'withTexts'],
  'src/service/advice/farm/page-texts.ts': [],
};

const { summary: rendered } = renderForAll(say`${name('North 1')} lacks water.`);

const takeString = (text: string): string => text;

describe('a rendered text', () => {
  it('is read by a channel', () => {
    expect(readText(rendered)).toBe('North 1 lacks water.');
  });

  // The compiler refuses all but the last four.
  it.each<[string, (text: RenderedText) => unknown]>([
    // @ts-expect-error it has no string method
    ['replace', (text) => text.replace('water', 'rain')],
    // @ts-expect-error nor another
    ['split', (text) => text.split(' ')],
    // @ts-expect-error nor a length
    ['length', (text) => text.length.toFixed()],
    // @ts-expect-error no RegExp takes it
    ['a pattern', (text) => /lacks/.test(text)],
    // @ts-expect-error nothing can be added to it
    ['an addition', (text) => text + text],
    ['a template', (text) => `${text}`],
    ['String', (text) => String(text)],
    ['join', (text) => [text].join()],
    ['JSON', (text) => JSON.stringify({ text })],
  ])('takes no %s', (_, use) => expect(() => use(rendered)).toThrow(TypeError));

  it('is no string, and no part of another text', () => {
    // @ts-expect-error
    expect(takeString(rendered)).not.toBeTypeOf('string');
    // @ts-expect-error
    expect(say`${rendered} It is dry.`).not.toEqual(say`North 1 lacks water. It is dry.`);
    // @ts-expect-error nobody makes one but the renderer
    const other: RenderedText = { text: 'North 1 lacks water.' };
    expect(other).not.toEqual(rendered);
  });
});

interface SyntaxNode {
  readonly type: string;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';

function* nodesOf(value: unknown): Generator<SyntaxNode> {
  if (typeof value !== 'object' || value === null) return;
  if (isNode(value)) yield value;
  for (const each of Object.values(value)) yield* nodesOf(each);
}

const nameOf = (value: unknown): string =>
  isNode(value) && typeof value.value === 'string' ? value.value : '';

const STRING_METHODS = new Set(
  Object.getOwnPropertyNames(String.prototype).filter(
    (each) => !(each in Object.prototype) && each !== 'length',
  ),
);

const TEXT_FUNCTIONS = /(?:src|[.])\/(?:domain\/text|mail-html)[.]ts$/;

/** What a module uses that can change a string. */
function stringUses(source: string): string[] {
  const { body } = parseSync(source, { syntax: 'typescript', target: 'es2022' });
  const uses = new Set<string>();
  for (const node of nodesOf(body)) {
    if (node.type === 'RegExpLiteral') uses.add(`/${String(node.pattern)}/`);
    if (node.type === 'MemberExpression' && STRING_METHODS.has(nameOf(node.property)))
      uses.add(nameOf(node.property));
    if (
      node.type === 'ImportDeclaration' &&
      !node.typeOnly &&
      TEXT_FUNCTIONS.test(nameOf(node.source))
    )
      for (const { local } of node.specifiers as SyntaxNode[]) uses.add(nameOf(local));
  }
  return [...uses].sort();
}

const read = (file: string): Promise<string> => readFile(join(root, file), 'utf8');

async function importersOf(imported: string): Promise<string[]> {
  const listed = await Promise.all(
    ['src', 'tools', 'demo'].map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true }))
        .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
        .filter((file) => file.endsWith('.ts')),
    ),
  );
  const files = listed.flat();
  const importing = new RegExp(`import [^;]*\\b${imported}\\b[^;]*rendered-text[.]ts';`);
  const found: string[] = [];
  for (const file of files) if (importing.test(await read(file))) found.push(file);
  return found.sort();
}

it('is made by the renderer alone, and read by the channels alone', async () => {
  expect(await importersOf('renderedText')).toEqual(['src/language/text/render.ts']);
  expect(await importersOf('readText')).toEqual(Object.keys(CHANNELS).sort());
});

it.each(Object.entries(CHANNELS))('%s does no more to it than this: %j', async (file, uses) => {
  expect(stringUses(await read(file))).toEqual([...uses].sort());
});
