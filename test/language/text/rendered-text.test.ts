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
  'src/service/advice/farm/farm-page-texts.ts': [],
};

/**
 * Behind the channels, texts are strings: in the outbox, in messages that are sent, in the answers
 * that the page reads, and in the labels of charts. These modules there take strings apart, and
 * only the first three do so with what the program wrote.
 */
const CARRIERS = ['src/chart', 'src/language/mail', 'src/page', 'src/service/mail'];
const TAKEN_APART: Readonly<Record<string, readonly string[]>> = {
  // HTML, and spaces in plain text.
  'src/language/mail/mail-html.ts': ['a pattern', 'replace'],
  'src/language/mail/mail-content.ts': ['replaceAll'],
  // Rows that earlier versions stored: the lines of a text.
  'src/service/mail/stored-content.ts': ['split'],

  // How wide a text is, and where it is cut: it is measured by its letters.
  'src/chart/font.ts': ['codePointAt'],
  'src/chart/scene.ts': ['a pattern', 'trimEnd'],
  // Names of zones and colours.
  'src/chart/legend.ts': ['replaceAll'],
  'src/chart/theme.ts': ['a pattern', 'padStart', 'replace', 'toLowerCase'],
  'src/page/chart/drawing/legend.tsx': ['replaceAll'],
  // Addresses, keys, names of operations, and messages of hosts and browsers.
  'src/page/device/notifications.ts': ['charCodeAt', 'replaceAll'],
  'src/page/page-environment.ts': ['split', 'toLowerCase'],
  'src/page/host/clicks.ts': ['a pattern', 'startsWith'],
  'src/page/host/open-in-host.tsx': ['replace'],
  'src/page/host/tool-call.ts': ['a pattern'],
  'src/page/main.tsx': ['startsWith'],
  'src/page/route.ts': ['a pattern', 'replace', 'split'],
  'src/page/service/event-stream.ts': ['split', 'startsWith'],
  'src/page/service/rest-service.ts': ['a pattern', 'replace', 'split', 'startsWith'],
  'src/page/service/write-once.ts': ['padStart'],
  'src/service/mail/push.ts': [
    ...['a pattern', 'endsWith', 'replace', 'replaceAll', 'split', 'toLowerCase', 'trim'],
  ],
  // What a person types.
  'src/page/views/dose-preview.tsx': ['trim'],
  'src/page/views/farm-view.tsx': ['a pattern', 'split', 'trim'],
  'src/page/views/watering-form.ts': ['a pattern', 'replace', 'split', 'trim'],
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

const TEXT_FUNCTIONS = /(?:src|[.])\/(?:domain\/strings|mail-html)[.]ts$/;

const bodyOf = (source: string, isTsx: boolean) =>
  parseSync(source, { syntax: 'typescript', tsx: isTsx, target: 'es2022' }).body;

/** Lists the methods of a module that can change a string. */
function stringUses(source: string): string[] {
  const uses = new Set<string>();
  for (const node of nodesOf(bodyOf(source, false))) {
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

/** Omits methods that arrays have too, and those that make HTML, which are named like sizes. */
const TAKING_APART =
  /^(char(Code)?At|codePointAt|endsWith|match(All)?|normalize|pad(Start|End)|replace(All)?|split|startsWith|substr(ing)?|to(Lower|Upper)Case|trim(Start|End)?)$/;

function takenApartBy(source: string, isTsx = true): string[] {
  const uses = new Set<string>();
  for (const node of nodesOf(bodyOf(source, isTsx))) {
    if (node.type === 'RegExpLiteral') uses.add('a pattern');
    if (node.type === 'MemberExpression' && TAKING_APART.test(nameOf(node.property)))
      uses.add(nameOf(node.property));
  }
  return [...uses].sort();
}

const read = (file: string): Promise<string> => readFile(join(root, file), 'utf8');

async function modulesIn(folders: readonly string[]): Promise<string[]> {
  const listed = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true }))
        .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
        .filter((file) => /[.]tsx?$/.test(file)),
    ),
  );
  return listed.flat();
}

async function importersOf(imported: string): Promise<string[]> {
  const files = await modulesIn(['src', 'tools', 'demo']);
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

describe('a text that a channel has sent, stored or drawn', () => {
  it('is taken apart by nobody', async () => {
    const found = await Promise.all(
      (await modulesIn(CARRIERS)).map(
        async (file) => [file, takenApartBy(await read(file), file.endsWith('x'))] as const,
      ),
    );
    expect(Object.fromEntries(found.filter(([, uses]) => uses.length > 0))).toEqual(TAKEN_APART);
  });

  it.each([
    ["const label = text.replace('mm', unit);", ['replace']],
    ['const short = /(, .+)/.exec(text);', ['a pattern']],
    ['const label = <span>{text.split(",")}</span>;', ['split']],
    ['const isListed = texts.includes(text) && texts.slice(1);', []],
  ])('would be found in %s', (source, uses) => expect(takenApartBy(source)).toEqual(uses));
});
