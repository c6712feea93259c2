import { singleLine } from '../../domain/strings.ts';
import { NO_TOOL_FILTER } from '../../operation/tool-filter.ts';
import { type ChangeBody, type ChangedRowBody, change } from '../../schema/changes/change.ts';
import { page } from '../../schema/shared-fields.ts';
import { EXIT, reportRefusal } from '../process/command.ts';
import { print } from '../process/output.ts';
import type { Settings } from '../process/settings.ts';
import { requestTool } from './tool-request.ts';

interface ChangesOptions {
  readonly limit: number;
  readonly json?: boolean;
}

export async function runChanges(
  { limit, json }: ChangesOptions,
  settings: Settings,
): Promise<number> {
  try {
    const answer = await requestTool(
      'list_changes',
      { limit },
      { ...settings, toolFilter: NO_TOOL_FILTER },
    );

    if (json) print(`${JSON.stringify(answer.body, null, 2)}\n`);
    else {
      const { data } = page(change).strip().parse(answer.body);
      print(data.length === 0 ? `${answer.summary}\n` : data.map(formatChange).join('\n'));
    }

    return EXIT.done;
  } catch (error) {
    return reportRefusal(error, ({ code }) => code.startsWith('invalid_'));
  }
}

function formatChange({
  id,
  at,
  operation,
  surface,
  userName,
  undoes,
  undoneBy,
  effects,
}: ChangeBody): string {
  const who = userName === null ? '' : ` by ${singleLine(userName)}`;
  const undoesText = undoes === null ? '' : ` of #${undoes}`;
  const undoneByText = undoneBy === null ? '' : `, undone by #${undoneBy}`;
  const minute = `${at.slice(0, 16).replace('T', ' ')}Z`;
  const { rows, counts } = effects;
  const lines = [
    `#${id}  ${minute}  ${operation}${undoesText}${undoneByText}${who} (${surface})`,
    ...rows.map(formatRow),
  ];

  const changedRows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (changedRows > rows.length) lines.push(`  … and ${changedRows - rows.length} more rows`);
  return `${lines.join('\n')}\n`;
}

function formatRow({ kind, id, before, after }: ChangedRowBody): string {
  const names = Object.keys(after ?? before ?? {});
  const name = `${kind.replaceAll('_', ' ')} ${id}`;
  const values = names.flatMap((field) => {
    if (before && after && before[field] !== after[field])
      return `${field} ${formatValue(before[field])} -> ${formatValue(after[field])}`;
    // Other values of the row tell which one it is.
    const value = (after ?? before)![field];
    return value === null || field === 'id' ? [] : `${field} ${formatValue(value)}`;
  });
  return `  ${changeSign({ before, after })} ${name}: ${values.join(', ')}`;
}

function changeSign({ before, after }: Pick<ChangedRowBody, 'before' | 'after'>): string {
  if (before === null) return '+';
  return after === null ? '-' : '~';
}

const formatValue = (value: unknown): string =>
  value == null ? 'none' : singleLine(typeof value === 'string' ? value : JSON.stringify(value));
