import { AcequiaError } from '../schema/error.ts';
import type { AnyOperation } from './operation.ts';
import { DAILY, isWrite, type ToolsetName } from './operation-kind.ts';
import type { OperationRunner } from './operation-runner.ts';

/** Set on the command line, for every caller. */
export interface ToolFilter {
  readonly toolsets: readonly ToolsetName[] | null;
  readonly isReadOnly: boolean;
}

export const NO_TOOL_FILTER: ToolFilter = { toolsets: null, isReadOnly: false };

export type FilteredOperation = Pick<
  AnyOperation,
  'toolset' | 'inDailyToolset' | 'effect' | 'audience'
>;

/** Tools for the page alone stay, because it needs them whichever tools a model gets. */
const isOutsideToolsets = (
  { toolsets }: ToolFilter,
  { toolset, inDailyToolset, audience }: FilteredOperation,
): boolean =>
  toolsets !== null &&
  audience !== 'view' &&
  !toolsets.includes(toolset) &&
  !(inDailyToolset && toolsets.includes(DAILY));

export const passesToolFilter = (toolFilter: ToolFilter, operation: FilteredOperation): boolean =>
  !isOutsideToolsets(toolFilter, operation) && !(toolFilter.isReadOnly && isWrite(operation));

function assertPassesFilter(toolFilter: ToolFilter, operation: AnyOperation): void {
  const { name, toolset } = operation;
  if (isOutsideToolsets(toolFilter, operation))
    throw hiddenByOption(
      `${name} belongs to the toolset ${toolset}, and Acequia was started with --toolsets ${toolFilter.toolsets!.join(',')} (or ACEQUIA_TOOLSETS).`,
      `To use it, the person starts Acequia with --toolsets ${toolFilter.toolsets!.join(',')},${toolset}, or with --toolsets all.`,
    );

  if (!passesToolFilter(toolFilter, operation))
    throw hiddenByOption(
      `${name} writes, and Acequia was started with --read-only (or ACEQUIA_READ_ONLY).`,
      'Tell the person that nothing can be written; to write, start Acequia without that option.',
    );
}

const hiddenByOption = (message: string, hint: string): AcequiaError =>
  new AcequiaError({ code: 'insufficient_scope', status: 403, message, hint });

export const withToolFilter = (
  runner: OperationRunner,
  toolFilter: ToolFilter,
): OperationRunner => ({
  ...runner,
  async run(operation, request) {
    assertPassesFilter(toolFilter, operation);
    const result = await runner.run(operation, request);
    if (!operation.withFilter) return result;
    const body = operation.withFilter(result.body, (each) => passesToolFilter(toolFilter, each));
    return { ...result, body, fullBody: body, json: undefined };
  },
  async allowedOperations(all) {
    const operations = [...all];
    const allowed = await runner.allowedOperations(operations);
    if (allowed === null && toolFilter.toolsets === null && !toolFilter.isReadOnly) return null;
    const permitted = operations.filter(
      (each) => passesToolFilter(toolFilter, each) && (allowed?.has(each.name) ?? true),
    );
    return new Set(permitted.map(({ name }) => name));
  },
});
