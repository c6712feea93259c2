import type { Lang } from '../domain/lang.ts';
import { operationName } from '../domain/text/program-names.ts';
import { say, verbatim } from '../domain/text/say.ts';
import type { Text } from '../domain/text/text.ts';
import type { NameDirectory, SummaryContext } from '../language/summary-context.ts';
import type { CallTrace } from '../observe/observer.ts';
import { AcequiaError } from '../schema/error.ts';
import type { AnyOperation } from './operation.ts';
import { DAILY, isWrite, type ToolsetName } from './operation-kind.ts';
import type { OperationResult } from './operation-result.ts';
import type { OperationRequest, OperationRunner } from './operation-runner.ts';

/** Set on the command line, for every caller. */
export interface ToolFilter {
  readonly toolsets: readonly ToolsetName[] | null;
  readonly isReadOnly: boolean;
}

export const NO_TOOL_FILTER: ToolFilter = { toolsets: null, isReadOnly: false };

/** The facts of an operation that a filter needs, which the catalog has too. */
export interface FilteredOperation extends Pick<AnyOperation, 'toolset' | 'effect'> {
  readonly tool?: { readonly inDailyToolset?: true | undefined } | undefined;
  readonly page?: { readonly audience?: 'app-entry' | 'app-only' | undefined } | undefined;
}

/** Tools for the page alone stay, because it needs them whichever tools a model gets. */
const isOutsideToolsets = (
  { toolsets }: ToolFilter,
  { toolset, tool, page }: FilteredOperation,
): boolean =>
  toolsets !== null &&
  page?.audience !== 'app-only' &&
  !toolsets.includes(toolset) &&
  !(tool?.inDailyToolset && toolsets.includes(DAILY));

export const passesToolFilter = (toolFilter: ToolFilter, operation: FilteredOperation): boolean =>
  !isOutsideToolsets(toolFilter, operation) && !(toolFilter.isReadOnly && isWrite(operation));

function assertPassesFilter(toolFilter: ToolFilter, operation: AnyOperation): void {
  const { name, toolset } = operation;
  if (isOutsideToolsets(toolFilter, operation)) {
    const option = say`--toolsets ${verbatim((toolFilter.toolsets ?? []).join(','))}`;
    throw hiddenByOption(
      say`Acequia was started without the tools for this.`,
      say`${operationName(name)} belongs to the toolset ${verbatim(toolset)}, and Acequia runs with ${option} (or ACEQUIA_TOOLSETS). To use it, the person starts Acequia with ${option},${verbatim(toolset)}, or with --toolsets all.`,
    );
  }

  if (!passesToolFilter(toolFilter, operation))
    throw hiddenByOption(
      say`Nothing can be written, because Acequia was started for reading alone.`,
      say`To write, start it without --read-only and ACEQUIA_READ_ONLY.`,
    );
}

const hiddenByOption = (message: Text, hint: Text): AcequiaError =>
  new AcequiaError({ code: 'insufficient_scope', status: 403, message, hint });

/** Refuses the operations that the options of the command leave out. */
export class FilteredRunner implements OperationRunner {
  readonly #runner: OperationRunner;
  readonly #toolFilter: ToolFilter;

  constructor(runner: OperationRunner, toolFilter: ToolFilter) {
    this.#runner = runner;
    this.#toolFilter = toolFilter;
  }

  get lang(): Lang {
    return this.#runner.lang;
  }

  async run(operation: AnyOperation, request: OperationRequest): Promise<OperationResult> {
    assertPassesFilter(this.#toolFilter, operation);
    const result = await this.#runner.run(operation, request);
    if (!operation.page?.withFilter) return result;

    const body = operation.page.withFilter(result.body, (each) =>
      passesToolFilter(this.#toolFilter, each),
    );
    return { ...result, body, fullBody: body, json: undefined };
  }

  async allowedOperations(all: Iterable<AnyOperation>): Promise<ReadonlySet<string> | null> {
    const operations = [...all];
    const { toolsets, isReadOnly } = this.#toolFilter;
    const allowed = await this.#runner.allowedOperations(operations);
    if (allowed === null && toolsets === null && !isReadOnly) return null;

    const permitted = operations.filter(
      (each) => passesToolFilter(this.#toolFilter, each) && (allowed?.has(each.name) ?? true),
    );
    return new Set(permitted.map(({ name }) => name));
  }

  directory(trace?: CallTrace): Promise<NameDirectory> {
    return this.#runner.directory(trace);
  }

  summaryContext(): Promise<SummaryContext> {
    return this.#runner.summaryContext();
  }

  personLang(): Promise<Lang> {
    return this.#runner.personLang();
  }

  close(): Promise<void> {
    return this.#runner.close();
  }
}
