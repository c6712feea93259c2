import type { Command } from 'commander';
import { addCommonOptions, readSettings, type Settings } from '../process/settings.ts';

export function addMcpCommand(program: Command): void {
  addCommonOptions(program.command('mcp'))
    .description('serve MCP on standard input and output (the default command)')
    .action((_, command: Command) => serveStdio(readSettings(command)));
}

export async function serveStdio(settings: Settings): Promise<void> {
  const { runStdio } = await import('./stdio-run.ts');
  await runStdio(settings);
}
