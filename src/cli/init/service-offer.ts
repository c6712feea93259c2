import { itemAt } from '../../domain/items.ts';
import { AcequiaError } from '../../schema/error.ts';
import type { Variables } from '../process/env-file.ts';
import { print } from '../process/output.ts';
import { storeOption } from '../process/settings.ts';
import { confirm, type Terminal } from '../process/terminal.ts';
import { runInstall } from '../service/install-run.ts';
import { installationOf, platformOf } from '../service/installation.ts';
import { runCommands } from '../service/system-command.ts';
import type { Interview } from './answers.ts';

interface ServiceOffer {
  readonly words: Interview;
  /** What a person types for this program. */
  readonly command: string;
  readonly variables: Variables & { readonly ACEQUIA_DB: string };
}

/** Only says how, where this computer could not keep a service on. */
export async function offerService(
  terminal: Terminal,
  { words, command, variables }: ServiceOffer,
): Promise<void> {
  const kind = await availableKind();
  const sendsMail = Boolean(variables.ACEQUIA_SMTP_URL);
  const isWanted = async (): Promise<boolean> =>
    kind !== null && confirm(terminal, words.keepOn(kind, sendsMail), true, words.yesOrNo(true));
  if (!(await isWanted())) {
    const install = `${command} service install${storeOption(variables.ACEQUIA_DB)}`;
    print(`${words.onWhileOpen(`${command} serve`, install, sendsMail)}\n`);
    return;
  }

  await runInstall({
    variables,
    isSystem: false,
    isConfirmed: false,
    keepsLingering: false,
    openedTerminal: terminal,
  });
}

async function availableKind(): Promise<string | null> {
  try {
    const { execPath, argv } = process;
    installationOf({ execPath, program: itemAt(argv, 1) }, null);
    const platform = platformOf(process.platform, { isSystem: false });
    await runCommands(platform.check, platform.checkHint);
    return platform.kind;
  } catch (error) {
    if (error instanceof AcequiaError) return null;
    throw error;
  }
}
