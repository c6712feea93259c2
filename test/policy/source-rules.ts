import { parseSync } from '@swc/core';

export interface AllowedUses {
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

/** With a dot or in brackets. */
function memberName(property: unknown): unknown {
  if (!isNode(property)) return undefined;
  if (property.type !== 'Computed') return property.value;
  return isNode(property.expression) ? property.expression.value : undefined;
}

const SQL =
  /^\s*(select\s[\s\S]+\sfrom\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s|create\s+(unique\s+)?(table|index)\s|drop\s+table\s|pragma\s+\w+)/i;

const textOf = (node: SyntaxNode): string => {
  if (node.type === 'StringLiteral') return String(node.value);
  if (node.type !== 'TemplateLiteral') return '';
  return (node.quasis as { cooked?: string; raw: string }[]).map(({ cooked, raw }) => cooked ?? raw).join('x');
};

/** Names bound by `const { … } = process`. */
function* processMembersUsed(node: SyntaxNode): Generator<unknown> {
  const isTaken = node.type === 'VariableDeclarator' && isIdentifier(node.init, 'process');
  if (!isTaken || !isNode(node.id) || node.id.type !== 'ObjectPattern') return;
  for (const property of node.id.properties as SyntaxNode[]) if (isNode(property.key)) yield property.key.value;
}

function isValueImportOf(node: SyntaxNode, module: string): boolean {
  if (node.type !== 'ImportDeclaration' || (node.source as { value?: string }).value !== module || node.typeOnly)
    return false;
  return (node.specifiers as { isTypeOnly?: boolean }[]).some((specifier) => !specifier.isTypeOnly);
}

function* faultsAt(node: SyntaxNode, allowed: AllowedUses): Generator<string> {
  if (node.type === 'MemberExpression') {
    if (isIdentifier(node.object, 'console')) yield 'console';
    if (!allowed.stdout && isIdentifier(node.object, 'process') && memberName(node.property) === 'stdout')
      yield 'process.stdout';
  }
  if (!allowed.stdout && [...processMembersUsed(node)].includes('stdout')) yield 'process.stdout';
  if (allowed.sql) return;
  if (isValueImportOf(node, 'kysely')) yield 'a value of kysely';
  if (SQL.test(textOf(node))) yield `SQL ${JSON.stringify(textOf(node).trim().slice(0, 30))}`;
}

export function sourceFaults(text: string, allowed: AllowedUses): string[] {
  const tree = parseSync(text, { syntax: 'typescript', target: 'es2022' });
  return [...new Set([...nodesOf(tree.body)].flatMap((node) => [...faultsAt(node, allowed)]))];
}
