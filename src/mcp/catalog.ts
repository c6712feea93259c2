import { isRecord } from '../domain/records.ts';
import { visibleText } from '../domain/strings.ts';
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
import { ProtocolError, ProtocolErrorCode } from './protocol.ts';
import { type CatalogSkill, type NeedsTools, skillTemplate } from './skills.ts';

/** A skill that a person can choose: its text without the front matter. */
export interface CatalogPrompt extends Prompt, NeedsTools {
  readonly text: string;
}

interface ResourceSource {
  /** Name of the operation; absent for a file of the package, which every caller may read. */
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
  /** The facts of each operation that the tool filter needs, by its name. */
  readonly operations: Readonly<Record<string, FilteredOperation>>;
  readonly prompts: readonly CatalogPrompt[];
  readonly skills: readonly CatalogSkill[];
  readonly resources: readonly (Resource & ResourceSource)[];
  readonly resourceTemplates: readonly (ResourceTemplateType & ResourceSource)[];
}

/** The results of the requests for lists. */
export function listResults(catalog: Catalog, { rendersApps }: { rendersApps: boolean }) {
  const tools = [...catalog.tools];
  const resources: Resource[] = catalog.resources.map(withoutSource);
  if (rendersApps) {
    tools.push(...catalog.appTools);
    resources.push(pageResource(catalog.pageHash));
  }

  const prompts = catalog.prompts.map(({ text: _, needs: __, ...prompt }) => prompt);
  const templates = catalog.resourceTemplates.map(withoutSource);
  return {
    tools: { tools },
    prompts: { prompts },
    resources: { resources },
    resourceTemplates: { resourceTemplates: [...templates, skillTemplate(catalog.skills)] },
  };
}

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

/** Leaves out what needs operations that are not allowed; null allows all. */
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

  const permitted = Object.entries(catalog.operations).filter(([, operation]) =>
    passesToolFilter(toolFilter, operation),
  );

  const limits: string[] = [];
  if (isReadOnly)
    limits.push('This server is read-only: nothing can be logged, planned or changed; say so.');
  if (toolsets)
    limits.push(
      `Only these toolsets are available: ${toolsets.join(', ')}. For another tool, tell the person to start Acequia with --toolsets all.`,
    );

  const restricted = restrictCatalog(catalog, new Set(permitted.map(([name]) => name)));
  return { ...restricted, instructions: withLimits(catalog.instructions, limits.join(' ')) };
}

/** The first paragraph, how to treat texts of people, stays the first. */
function withLimits(instructions: string, limits: string): string {
  const end = instructions.indexOf('\n\n');
  return `${instructions.slice(0, end)}\n\n${limits}${instructions.slice(end)}`;
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

function remoteTool(tool: Tool): Tool {
  const annotations = { ...tool.annotations, openWorldHint: true };
  if (tool.outputSchema === undefined) return { ...tool, annotations };
  const outputSchema = lenientSchema(tool.outputSchema);
  return { ...tool, annotations, outputSchema };
}

/** Neither requires a property nor limits its values. */
function lenientSchema(schema: Record<string, unknown>): Record<string, unknown> {
  const { required: _, enum: __, ...lenient } = schema;
  const { properties, items } = lenient;
  if (isRecord(items)) lenient.items = lenientSchema(items);
  if (isRecord(properties))
    lenient.properties = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        isRecord(property) ? lenientSchema(property) : property,
      ]),
    );

  return lenient;
}

/** Enough for what a person says or pastes. */
const MAX_PROMPT_ARGUMENT = 20_000;

function promptArgument(name: string, value = ''): string {
  if (value.length <= MAX_PROMPT_ARGUMENT) return value.trim();
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `${name} has ${value.length} characters, and may have ${MAX_PROMPT_ARGUMENT}`,
  );
}

export function fillPrompt(
  prompt: Omit<CatalogPrompt, 'needs'>,
  values: Record<string, string>,
): GetPromptResult {
  const paragraphs: string[] = [];
  for (const { name, description } of prompt.arguments ?? []) {
    const value = promptArgument(name, values[name]);
    if (value) paragraphs.push(`${description}: ${JSON.stringify(visibleText(value))}`);
  }

  const text = [...paragraphs, prompt.text].join('\n\n');
  return {
    description: prompt.description,
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}
