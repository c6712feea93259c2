import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';
import { describe, expect, it } from 'vitest';

interface AllowedUses {
  readonly stdout: boolean;
  readonly sql: boolean;
}

interface SyntaxNode {
  readonly type: string;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';

function* nodesOf(value: unknown): Generator<SyntaxNode> {
  if (Array.isArray(value)) for (const each of value) yield* nodesOf(each);
  else if (typeof value === 'object' && value !== null) {
    if (isNode(value)) yield value;
    for (const each of Object.values(value)) yield* nodesOf(each);
  }
}

const isIdentifier = (value: unknown, name: string): boolean =>
  isNode(value) && value.type === 'Identifier' && value.value === name;

/** Returns the name of a member, after a dot or in brackets. */
function memberName(property: unknown): unknown {
  if (!isNode(property)) return undefined;
  if (property.type !== 'Computed') return property.value;
  return isNode(property.expression) ? property.expression.value : undefined;
}

const SQL =
  /^\s*(select\s[\s\S]+\sfrom\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s|create\s+(unique\s+)?(table|index)\s|drop\s+table\s|pragma\s+\w+)/i;

/** People and tools know no endpoints: `operationName` becomes one over REST. */
const ENDPOINT = /\b(GET|PUT|POST|PATCH|DELETE) \//;

const textOf = (node: SyntaxNode): string => {
  if (node.type === 'StringLiteral') return String(node.value);
  if (node.type !== 'TemplateLiteral') return '';
  return (node.quasis as { cooked?: string; raw: string }[])
    .map(({ cooked, raw }) => cooked ?? raw)
    .join('x');
};

/** Names bound by `const { … } = process`. */
function* processMembersUsed(node: SyntaxNode): Generator<unknown> {
  const isTaken = node.type === 'VariableDeclarator' && isIdentifier(node.init, 'process');
  if (!isTaken || !isNode(node.id) || node.id.type !== 'ObjectPattern') return;
  for (const property of node.id.properties as SyntaxNode[])
    if (isNode(property.key)) yield property.key.value;
}

function isValueImportOf(node: SyntaxNode, module: string): boolean {
  if (
    node.type !== 'ImportDeclaration' ||
    (node.source as { value?: string }).value !== module ||
    node.typeOnly
  )
    return false;
  return (node.specifiers as { isTypeOnly?: boolean }[]).some((specifier) => !specifier.isTypeOnly);
}

function* faultsAt(node: SyntaxNode, allowed: AllowedUses): Generator<string> {
  if (node.type === 'MemberExpression') {
    if (isIdentifier(node.object, 'console')) yield 'console';
    if (
      !allowed.stdout &&
      isIdentifier(node.object, 'process') &&
      memberName(node.property) === 'stdout'
    )
      yield 'process.stdout';
  }
  if (
    node.type === 'TaggedTemplateExpression' &&
    isIdentifier(node.tag, 'say') &&
    isNode(node.template) &&
    ENDPOINT.test(textOf(node.template))
  )
    yield 'an endpoint in a sentence';
  if (!allowed.stdout && [...processMembersUsed(node)].includes('stdout')) yield 'process.stdout';
  if (allowed.sql) return;
  if (isValueImportOf(node, 'kysely')) yield 'a value of kysely';
  if (SQL.test(textOf(node))) yield `SQL ${JSON.stringify(textOf(node).trim().slice(0, 30))}`;
}

function sourceFaults(text: string, allowed: AllowedUses): string[] {
  const tree = parseSync(text, { syntax: 'typescript', target: 'es2022' });
  return [...new Set([...nodesOf(tree.body)].flatMap((node) => [...faultsAt(node, allowed)]))];
}

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Commands print for a person, and stdio is the transport. No other file uses standard output. */
const STDOUT = [
  'src/cli/mcp/stdio-run.ts',
  'src/cli/process/output.ts',
  'demo/output/transcript.ts',
];

async function sources(extension: RegExp): Promise<string[]> {
  const listed = await Promise.all(
    ['src', 'tools'].map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true })).map(
        (file) => `${folder}/${file.replaceAll('\\', '/')}`,
      ),
    ),
  );
  return listed.flat().filter((file) => extension.test(file));
}

it('keeps standard output to the transport and the commands, SQL to the store, and uses no console nor endpoints in sentences', async () => {
  const faults: string[] = [];
  const files = await sources(/\.ts$/);
  for (const file of files) {
    const allowed = { stdout: STDOUT.includes(file), sql: file.startsWith('src/store/') };
    for (const fault of sourceFaults(await readFile(join(root, file), 'utf8'), allowed))
      faults.push(`${file}: ${fault}`);
  }
  expect(faults).toEqual([]);
  expect(files.length).toBeGreaterThan(80);
});

describe('the check of a source file', () => {
  const nothing: AllowedUses = { stdout: false, sql: false };

  it.each([
    ["console.log('a')", 'console'],
    ["const say = console['error'];", 'console'],
    ["process.stdout.write('a')", 'process.stdout'],
    ["process['stdout'].write('a')", 'process.stdout'],
    ['const { stdin, stdout: out } = process; out.end();', 'process.stdout'],
    ["import { sql } from 'kysely'; sql`a`", 'a value of kysely'],
    ["db.exec('delete from waterings')", 'SQL "delete from waterings"'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text
    ['db.prepare(`select ${columns} from modules`)', 'SQL "select x from modules"'],
    ["const text = 'PRAGMA synchronous = off';", 'SQL "PRAGMA synchronous = off"'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text
    ['say`${argument(field)} in PUT /devices.`', 'an endpoint in a sentence'],
  ])('finds %s', (text, fault) => {
    expect(sourceFaults(text, nothing)).toEqual([fault]);
  });

  it.each([
    "import type { Kysely } from 'kysely'; export type A = Kysely<unknown>;",
    "import { type Kysely } from 'kysely'; export type A = Kysely<unknown>;",
    "// console.log and process.stdout in a comment, select a from b\nexport const a = 'Select the probe in the list.';",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text
    "// PUT /devices in a comment\nsay`${operationName('assign_device')} assigns it.`;",
    "process.stderr.write('a'); logger.console.log('a');",
    "export const hint = 'Update Acequia, or delete it from the folder.';",
  ])('lets pass %s', (text) => {
    expect(sourceFaults(text, nothing)).toEqual([]);
  });

  it('lets the transport have standard output and the store its SQL', () => {
    expect(sourceFaults("process.stdout.write('a')", { stdout: true, sql: false })).toEqual([]);
    expect(
      sourceFaults("import { sql } from 'kysely'; sql`select 1`", { stdout: false, sql: true }),
    ).toEqual([]);
  });
});
