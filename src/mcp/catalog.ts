import { visibleText } from '../domain/text.ts';
import {
  type FilteredOperation,
  passesToolFilter,
  type ToolFilter,
} from '../operation/tool-filter.ts';
import { APP_MIME_TYPE, PAGE_META, pageUri } from './apps.ts';
import type {
  GetPromptResult,
  Icon,
  Prompt,
  Resource,
  ResourceTemplateType,
  Tool,
} from './protocol.ts';
import { type CatalogSkill, type NeedsTools, skillTemplate } from './skills.ts';

/** A skill that a person can choose: its text without the front matter. */
export interface CatalogPrompt extends Prompt, NeedsTools {
  readonly text: string;
}

interface ResourceSource {
  /** Absent for a file of the package, which every caller may read. */
  readonly operation?: string | undefined;
  readonly file?: string | undefined;
  readonly isSubscribable?: true | undefined;
}

export interface Catalog {
  readonly version: string;
  readonly icons: readonly Icon[];
  readonly instructions: string;
  readonly tools: readonly Tool[];
  /** Listed after the others to clients that render the page. */
  readonly appTools: readonly Tool[];
  /** Hash of the content of the page. */
  readonly pageHash: string;
  readonly kinds: Readonly<Record<string, FilteredOperation>>;
  readonly prompts: readonly CatalogPrompt[];
  readonly skills: readonly CatalogSkill[];
  readonly resources: readonly (Resource & ResourceSource)[];
  readonly resourceTemplates: readonly (ResourceTemplateType & ResourceSource)[];
}

export const listResults = (
  { tools, appTools, pageHash, prompts, skills, resources, resourceTemplates }: Catalog,
  { rendersApps }: { rendersApps: boolean },
) => ({
  tools: { tools: [...tools, ...(rendersApps ? appTools : [])] },
  prompts: { prompts: prompts.map(({ text: _, needs: __, ...prompt }) => prompt) },
  resources: {
    resources: [...resources.map(withoutSource), ...(rendersApps ? [pageResource(pageHash)] : [])],
  },
  resourceTemplates: {
    resourceTemplates: [...resourceTemplates.map(withoutSource), skillTemplate(skills)],
  },
});

const pageResource = (hash: string): Resource => ({
  uri: pageUri(hash),
  name: 'page',
  title: 'Live page of the farm',
  description: 'Opened by show_farm and show_moisture.',
  mimeType: APP_MIME_TYPE,
  _meta: PAGE_META,
});

const withoutSource = <T extends ResourceSource>({
  operation: _,
  file: __,
  isSubscribable: ___,
  ...listed
}: T) => listed;

export function restrictCatalog(catalog: Catalog, allowed: ReadonlySet<string> | null): Catalog {
  if (allowed === null) return catalog;

  const isAllowed = ({ operation }: ResourceSource): boolean =>
    operation === undefined || allowed.has(operation);
  const hasTools = ({ needs }: NeedsTools): boolean => needs.every((tool) => allowed.has(tool));

  return {
    ...catalog,
    tools: catalog.tools.filter(({ name }) => allowed.has(name)),
    appTools: catalog.appTools.filter(({ name }) => allowed.has(name)),
    prompts: catalog.prompts.filter(hasTools),
    skills: catalog.skills.filter(hasTools),
    resources: catalog.resources.filter(isAllowed),
    resourceTemplates: catalog.resourceTemplates.filter(isAllowed),
  };
}

export function filterCatalog(catalog: Catalog, toolFilter: ToolFilter): Catalog {
  const { toolsets, isReadOnly } = toolFilter;
  if (toolsets === null && !isReadOnly) return catalog;

  const permitted = Object.entries(catalog.kinds).filter(([, kind]) =>
    passesToolFilter(toolFilter, kind),
  );
  const limits = [
    ...(isReadOnly
      ? ['This server is read-only: nothing can be logged, planned or changed; say so when asked.']
      : []),
    ...(toolsets
      ? [
          `Only these toolsets are available: ${toolsets.join(', ')}. If a request needs another tool, also one named below, tell the person to start Acequia with --toolsets all.`,
        ]
      : []),
  ];

  const restricted = restrictCatalog(catalog, new Set(permitted.map(([name]) => name)));
  return { ...restricted, instructions: `${limits.join(' ')}\n\n${catalog.instructions}` };
}

export const subscribableUri = ({ resources }: Catalog): string | null =>
  resources.find(({ isSubscribable }) => isSubscribable)?.uri ?? null;

/** A remote service may be of another version and leave fields out or use other codes. */
export const remoteCatalog = (catalog: Catalog): Catalog => ({
  ...catalog,
  // A farm file is imported into a store, not into a service.
  resources: catalog.resources.filter(({ file }) => file === undefined),
  tools: catalog.tools.map(remoteTool),
  appTools: catalog.appTools.map(remoteTool),
});

const remoteTool = (tool: Tool): Tool => ({
  ...tool,
  annotations: { ...tool.annotations, openWorldHint: true },
  ...(tool.outputSchema && {
    outputSchema: lenientSchema(tool.outputSchema) as Tool['outputSchema'] & object,
  }),
});

function lenientSchema(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema;

  const { required: _, enum: __, ...rest } = schema as Record<string, unknown>;
  const { properties, items } = rest;
  return {
    ...rest,
    ...(typeof properties === 'object' &&
      properties !== null && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, each]) => [name, lenientSchema(each)]),
        ),
      }),
    ...(items !== undefined && { items: lenientSchema(items) }),
  };
}

export function fillPrompt(
  prompt: Omit<CatalogPrompt, 'needs'>,
  values: Record<string, string>,
): GetPromptResult {
  const filledArguments = (prompt.arguments ?? []).flatMap(({ name, description }) => {
    const value = values[name]?.trim();
    return value ? [`${description}: ${JSON.stringify(visibleText(value))}`] : [];
  });
  const text = [...filledArguments, prompt.text].join('\n\n');
  return {
    description: prompt.description,
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}
