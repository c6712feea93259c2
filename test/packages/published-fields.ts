import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The fields that docs/releasing.md adds to package.json once the names are owned. */
const PUBLISHED_FIELDS = `
  "mcpName": "io.github.acequia-mcp/acequia",
  "homepage": "https://github.com/acequia-mcp/acequia#readme",
  "repository": { "type": "git", "url": "git+https://github.com/acequia-mcp/acequia.git" },`;

export async function addPublishedFields(clone: string): Promise<void> {
  const file = join(clone, 'package.json');
  const content = await readFile(file, 'utf8');
  await writeFile(file, content.replace('{', `{${PUBLISHED_FIELDS}`));
}
