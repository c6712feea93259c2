import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { isWithin, type Reach } from '../operation/reach.ts';
import type { Catalog, Readable } from './catalog.ts';

/** What the lists of a catalog answer with: without what a client has no use for. */
export const listable = ({ tools, prompts, resources, resourceTemplates }: Catalog) => ({
  tools: { tools: [...tools] },
  prompts: { prompts: prompts.map(({ text: _, needs: __, ...prompt }) => prompt) },
  resources: { resources: resources.map(listedReadable) },
  resourceTemplates: { resourceTemplates: resourceTemplates.map(listedReadable) },
});

/** A resource or template without how it is read. */
const listedReadable = <T extends Readable>({ operation: _, arguments: __, only: ___, ...listed }: T) => listed;

/** What of a catalog is offered, by the names of operations; null for all of it. */
export function narrowed(catalog: Catalog, offered: ReadonlySet<string> | null): Catalog {
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
export function catalogWithin(catalog: Catalog, reach: Reach): Catalog {
  const { toolsets, isReadOnly } = reach;
  if (toolsets === null && !isReadOnly) return catalog;
  const near = Object.entries(catalog.kinds).filter(([, kind]) => isWithin(reach, kind));
  const limits = [
    ...(isReadOnly
      ? ['Writing is off here: nothing can be logged, planned or changed; say so when it is asked for.']
      : []),
    ...(toolsets ? [`Only these toolsets are here: ${toolsets.join(', ')}.`] : []),
  ];
  const within = narrowed(catalog, new Set(near.map(([name]) => name)));
  return { ...within, instructions: `${limits.join(' ')}\n\n${catalog.instructions}` };
}

/**
 * The catalog where a remote service answers: the world is open, and a service of another age may leave fields out or say
 * codes that are not known here.
 */
export const ofRemote = (catalog: Catalog): Catalog => ({
  ...catalog,
  tools: catalog.tools.map((tool) => ({
    ...tool,
    annotations: { ...tool.annotations, openWorldHint: true },
    ...(tool.outputSchema && {
      outputSchema: { ...(lenient(tool.outputSchema) as Tool['outputSchema'] & object), required: ['summary'] },
    }),
  })),
});

/** A schema that demands no field and names no codes, here and inside. */
function lenient(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema;
  const { required: _, enum: __, ...rest } = schema as Record<string, unknown>;
  const { properties, items } = rest;
  return {
    ...rest,
    ...(typeof properties === 'object' &&
      properties !== null && {
        properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, lenient(each)])),
      }),
    ...(items !== undefined && { items: lenient(items) }),
  };
}
