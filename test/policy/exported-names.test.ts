import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Declaration, parseSync } from '@swc/core';
import { expect, it } from 'vitest';

/** Several for `const a = 1, b = 2`. */
function declaredNames(declaration: Declaration): string[] {
  switch (declaration.type) {
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return [declaration.identifier.value];
    case 'VariableDeclaration':
      return declaration.declarations.flatMap(({ id }) =>
        id.type === 'Identifier' ? [id.value] : [],
      );
    case 'TsInterfaceDeclaration':
    case 'TsTypeAliasDeclaration':
    case 'TsEnumDeclaration':
      return [declaration.id.value];
    default:
      return [];
  }
}

function exportedNames(text: string, { tsx = false } = {}): string[] {
  const { body } = parseSync(text, { syntax: 'typescript', tsx, target: 'es2022' });
  const names = body.flatMap((item) =>
    item.type === 'ExportDeclaration' ? declaredNames(item.declaration) : [],
  );
  return [...new Set(names)];
}

/** Returns each as "name: file, file"; `sources` are texts by file. */
function namesDeclaredTwice(sources: ReadonlyMap<string, string>): string[] {
  const filesByName = new Map<string, string[]>();
  for (const [file, text] of sources)
    for (const name of exportedNames(text, { tsx: file.endsWith('.tsx') }))
      filesByName.set(name, [...(filesByName.get(name) ?? []), file]);
  return [...filesByName]
    .filter(([, files]) => files.length > 1)
    .map(([name, files]) => `${name}: ${files.join(', ')}`);
}

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The build of the page puts it in the place of the file that declares the same names. */
const isReplacement = (file: string): boolean => file === 'src/page/browser-zones.ts';

async function sources(): Promise<Map<string, string>> {
  const files = await Promise.all(
    ['src', 'tools', 'demo'].map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true })).map(
        (file) => `${folder}/${file.replaceAll('\\', '/')}`,
      ),
    ),
  );
  const checked = files.flat().filter((file) => /\.tsx?$/.test(file) && !isReplacement(file));
  return new Map(
    await Promise.all(
      checked.map(async (file) => [file, await readFile(join(root, file), 'utf8')] as const),
    ),
  );
}

it('declares every exported name in one file', async () => {
  const all = await sources();
  expect(namesDeclaredTwice(all)).toEqual([]);
  expect(all.size).toBeGreaterThan(300);
});

it('finds a name that two files declare, as a value or as a type', () => {
  const twice = new Map([
    ['a.ts', 'export const limit = 1;\nexport interface Page {}\nexport const only = 2;'],
    ['b.ts', 'export function limit() {}'],
    ['c.ts', 'export type Page = string;'],
  ]);
  expect(namesDeclaredTwice(twice)).toEqual(['limit: a.ts, b.ts', 'Page: a.ts, c.ts']);
});

it('counts a value and its type in one file once, and neither imports nor re-exports', () => {
  const text =
    "export { a } from './a.ts';\nconst inner = 1;\nexport const Role = ['OWNER'];\nexport type Role = string;\nexport const b = 1, c = 2;";
  expect(exportedNames(text)).toEqual(['Role', 'b', 'c']);
});
