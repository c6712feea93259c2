import {
  ErrorCode,
  type GetPromptResult,
  McpError,
  type Prompt,
  type Resource,
  type ResourceTemplate,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import type { AnyOperation } from '../operation/operation.ts';
import { passesToolFilter, type ToolFilter } from '../operation/tool-filter.ts';

/** A prompt as it is listed, with the text that a client gets for it. */
export interface CatalogPrompt extends Prompt {
  /** Markdown; `{{argument: words without it}}` is filled in. */
  readonly text: string;
  /** Names of the tools that the text speaks of. */
  readonly needs: readonly string[];
}

/** Which operation a listed resource is the answer of. */
interface ResourceSource {
  readonly operation: string;
  readonly isSubscribable?: true | undefined;
}

/** Everything that is listed, rendered from the operations when the program is built. */
export interface Catalog {
  readonly version: string;
  readonly instructions: string;
  readonly tools: readonly Tool[];
  /** By name, what decides whether an operation is within reach. */
  readonly kinds: Readonly<Record<string, Pick<AnyOperation, 'toolset' | 'effect'>>>;
  readonly prompts: readonly CatalogPrompt[];
  readonly resources: readonly (Resource & ResourceSource)[];
  readonly resourceTemplates: readonly (ResourceTemplate & ResourceSource)[];
}

/** What the lists of a catalog answer with: without what a client has no use for. */
export const listResults = ({ tools, prompts, resources, resourceTemplates }: Catalog) => ({
  tools: { tools: [...tools] },
  prompts: { prompts: prompts.map(({ text: _, needs: __, ...prompt }) => prompt) },
  resources: { resources: resources.map(withoutSource) },
  resourceTemplates: { resourceTemplates: resourceTemplates.map(withoutSource) },
});

/** A resource or template without how it is read. */
const withoutSource = <T extends ResourceSource>({ operation: _, isSubscribable: __, ...listed }: T) => listed;

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
    ...(isReadOnly ? ['This server is read-only: nothing can be logged, planned or changed; say so when asked.'] : []),
    ...(toolsets ? [`Only these toolsets are available: ${toolsets.join(', ')}.`] : []),
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

/** `{{argument: words without it}}` */
const ARGUMENT_PLACEHOLDER = /\{\{(\w+): ([^}]*)\}\}/g;

/** The prompt's text with its arguments filled in; a value is quoted as the data it is. */
export function fillPrompt(prompt: Omit<CatalogPrompt, 'needs'>, given: Record<string, string>): GetPromptResult {
  const missing = prompt.arguments?.find((each) => each.required && !given[each.name]);
  if (missing) throw new McpError(ErrorCode.InvalidParams, `The prompt ${prompt.name} needs ${missing.name}`);
  const text = prompt.text.replace(ARGUMENT_PLACEHOLDER, (_, name: string, otherwise: string) => {
    const value = given[name]?.trim();
    return value ? JSON.stringify(value) : otherwise;
  });
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}
