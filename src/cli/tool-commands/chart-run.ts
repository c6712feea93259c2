import { NO_TOOL_FILTER } from '../../operation/tool-filter.ts';
import { EXIT, reportRefusal } from '../process/command.ts';

import { print } from '../process/output.ts';
import type { Settings } from '../process/settings.ts';
import { requestTool, writePicture } from './tool-request.ts';

export interface ChartOptions {
  readonly module: string;
  readonly start?: string;
  readonly end?: string;
  readonly view?: string;
  readonly theme?: string;
  readonly out: string;
}

export async function runChart({ out, ...args }: ChartOptions, settings: Settings): Promise<number> {
  try {
    // A filter of tools does not apply to a command of its own.
    const { summary, picture } = await requestTool('chart_moisture', args, { ...settings, toolFilter: NO_TOOL_FILTER });
    await writePicture(out, picture!);
    print(`${summary}\n${out}\n`);
    return EXIT.done;
  } catch (error) {
    return reportRefusal(error, ({ code }) => code.startsWith('invalid_'));
  }
}
