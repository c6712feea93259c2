import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { parse } from 'yaml';
import { tools } from '../../tools/index.ts';
import { toolInputSchema, toolOutputSchema } from '../operation/json-schema.ts';
import { type AnyOperation, isWrite } from '../operation/operation.ts';
import type { Catalog, CatalogPrompt } from './catalog.ts';
import { instructions } from './instructions.ts';
import { resources, resourceTemplates } from './readables.ts';

/** A tool as it is listed: everything follows from the operation, hints from its effect. A picture has no schema. */
export const renderTool = (operation: AnyOperation): Tool => ({
  name: operation.name,
  title: operation.title,
  description: operation.description,
  inputSchema: toolInputSchema(operation) as Tool['inputSchema'],
  ...(!operation.render && { outputSchema: toolOutputSchema(operation) as Tool['outputSchema'] }),
  annotations: {
    title: operation.title,
    readOnlyHint: !isWrite(operation),
    destructiveHint: operation.effect === 'update' || operation.effect === 'delete',
    idempotentHint: operation.effect !== 'create',
    openWorldHint: false,
  },
});

const isNamedIn =
  (text: string) =>
  (tool: string): boolean =>
    new RegExp(`\\b${tool}\\b`).test(text);

/** A prompt out of its Markdown file: a head of name, title, description and arguments, then the text. */
function readPrompt(file: string, content: string): CatalogPrompt {
  const head = /^---\n([\s\S]*?)\n---\n/.exec(content);
  if (!head) throw new Error(`${file} has no head between --- lines`);
  const text = content.slice(head[0].length).trim();
  return { ...parse(head[1]!), text, needs: tools.map(({ name }) => name).filter(isNamedIn(text)) };
}

/** Everything that is listed, from the tools and the prompt files in `promptsFolder`. */
export async function renderCatalog(promptsFolder: string, version: string): Promise<Catalog> {
  const files = (await readdir(promptsFolder)).filter((file) => file.endsWith('.md')).sort();
  const prompts = await Promise.all(
    files.map(async (file) => readPrompt(file, await readFile(join(promptsFolder, file), 'utf8'))),
  );
  const kinds = Object.fromEntries(tools.map(({ name, toolset, effect }) => [name, { toolset, effect }]));
  return { version, instructions, tools: tools.map(renderTool), kinds, prompts, resources, resourceTemplates };
}
