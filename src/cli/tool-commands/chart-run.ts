import { NO_TOOL_FILTER } from '../../operation/tool-filter.ts';
import { EXIT, reportRefusal } from '../process/command.ts';
import { print } from '../process/output.ts';
import { writeOutput } from '../process/output-file.ts';
import type { Settings } from '../process/settings.ts';
import { requestTool } from './tool-request.ts';

interface ChartOptions {
  readonly module: string;
  readonly start?: string;
  readonly end?: string;
  readonly view?: string;
  readonly theme?: string;
  readonly out: string;
}

/**
 * Takes the arguments from the options one by one, because commander adds those of every command
 * that come from the environment.
 */
export async function runChart(
  { module, start, end, view, theme, out }: ChartOptions,
  settings: Settings,
): Promise<number> {
  const args = { module, start, end, view, theme };
  try {
    // The tool filter is for "acequia call"; this command always runs its tool.
    const { summary, picture } = await requestTool('chart_moisture', args, {
      ...settings,
      toolFilter: NO_TOOL_FILTER,
    });
    await writeOutput(out, picture!, settings);
    print(`${summary}\n${out}\n`);
    return EXIT.done;
  } catch (error) {
    return reportRefusal(error, ({ code }) => code.startsWith('invalid_'));
  }
}
