import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { passesToolFilter, type ToolFilter } from '../operation/reach.ts';
import type { Catalog, ResourceSource } from './catalog.ts';

/** What the lists of a catalog answer with: without what a client has no use for. */
export const listResults = ({ tools, prompts, resources, resourceTemplates }: Catalog) => ({
  tools: { tools: [...tools] },
  prompts: { prompts: prompts.map(({ text: _, needs: __, ...prompt }) => prompt) },
  resources: { resources: resources.map(withoutSource) },
  resourceTemplates: { resourceTemplates: resourceTemplates.map(withoutSource) },
});

/** A resource or template without how it is read. */
const withoutSource = <T extends ResourceSource>({ operation: _, arguments: __, onlyFlagged: ___, ...listed }: T) =>
  listed;

/** What of a catalog is offered, by the names of operations; null for all of it. */
export function restrictCatalog(catalog: Catalog, offered: ReadonlySet<string> | null): Catalog {
  if (offered === null) return catalog;
  return {
    ...catalog,
    tools: catalog.tools.filter(({ name }) => offered.has(name)),
    prompts: catalog.prompts.filter(({ needs }) => needs.every((tool) => offered.has(tool))),
    resources: catalog.resources.filter(({ operation }) => offered.has(operation)),
    resourceTemplates: catalog.resourceTemplates.filter(({ operation }) => offered.has(operation)),
  };
}

/** What of a catalog is within reach, whose instructions begin with what is not. */
export function filterCatalog(catalog: Catalog, toolFilter: ToolFilter): Catalog {
  const { toolsets, isReadOnly } = toolFilter;
  if (toolsets === null && !isReadOnly) return catalog;
  const permitted = Object.entries(catalog.kinds).filter(([, kind]) => passesToolFilter(toolFilter, kind));
  const limits = [
    ...(isReadOnly
      ? ['Writing is off here: nothing can be logged, planned or changed; say so when it is asked for.']
      : []),
    ...(toolsets ? [`Only these toolsets are here: ${toolsets.join(', ')}.`] : []),
  ];
  const within = restrictCatalog(catalog, new Set(permitted.map(([name]) => name)));
  return { ...within, instructions: `${limits.join(' ')}\n\n${catalog.instructions}` };
}

/**
 * The catalog where a remote service answers: the world is open, and a service of another age may leave fields out or say
 * codes that are not known here.
 */
export const remoteCatalog = (catalog: Catalog): Catalog => ({
  ...catalog,
  tools: catalog.tools.map((tool) => ({
    ...tool,
    annotations: { ...tool.annotations, openWorldHint: true },
    ...(tool.outputSchema && {
      outputSchema: { ...(lenientSchema(tool.outputSchema) as Tool['outputSchema'] & object), required: ['summary'] },
    }),
  })),
});

/** A schema that demands no field and names no codes, here and inside. */
function lenientSchema(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema;
  const { required: _, enum: __, ...rest } = schema as Record<string, unknown>;
  const { properties, items } = rest;
  return {
    ...rest,
    ...(typeof properties === 'object' &&
      properties !== null && {
        properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, lenientSchema(each)])),
      }),
    ...(items !== undefined && { items: lenientSchema(items) }),
  };
}
