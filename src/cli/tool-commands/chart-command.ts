import type { Command } from 'commander';
import { expandHome } from '../process/option-parsers.ts';
import { addCommonOptions, readSettings } from '../process/settings.ts';

export function addChartCommand(program: Command): void {
  addCommonOptions(program.command('chart'))
    .description('draw the moisture of a probe as a PNG file')
    .requiredOption('--module <name>', 'probe: name or id')
    .option('--start <time>', 'start of the period (default: 7 days before its end)')
    .option('--end <time>', 'end of the period (default: now)')
    .option(
      '--view <view>',
      'summary (one weighted curve) or depths (one curve each) (default: summary)',
    )
    .option('--theme <theme>', 'light or dark (default: light)')
    .option('--out <file>', 'file to write', expandHome, 'moisture.png')
    .action(async (options, command: Command) => {
      const { runChart } = await import('./chart-run.ts');
      process.exitCode = await runChart(options, readSettings(command));
    });
}
