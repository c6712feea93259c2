import { type Declaration, parseSync } from '@swc/core';

/** Several for `const a = 1, b = 2`. */
function declaredNames(declaration: Declaration): string[] {
  switch (declaration.type) {
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return [declaration.identifier.value];
    case 'VariableDeclaration':
      return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.value] : []));
    case 'TsInterfaceDeclaration':
    case 'TsTypeAliasDeclaration':
    case 'TsEnumDeclaration':
      return [declaration.id.value];
    default:
      return [];
  }
}

export function exportedNames(text: string): string[] {
  const { body } = parseSync(text, { syntax: 'typescript', target: 'es2022' });
  const names = body.flatMap((item) => (item.type === 'ExportDeclaration' ? declaredNames(item.declaration) : []));
  return [...new Set(names)];
}

/** As "name: file, file"; `sources` are texts by file. */
export function namesDeclaredTwice(sources: ReadonlyMap<string, string>): string[] {
  const filesByName = new Map<string, string[]>();
  for (const [file, text] of sources)
    for (const name of exportedNames(text)) filesByName.set(name, [...(filesByName.get(name) ?? []), file]);
  return [...filesByName]
    .filter(([, files]) => files.length > 1)
    .map(([name, files]) => `${name}: ${files.join(', ')}`);
}
