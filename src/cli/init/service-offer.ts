import { itemAt } from '../../domain/items.ts';
import { AcequiaError } from '../../schema/error.ts';
import type { Variables } from '../process/env-file.ts';
import { print } from '../process/output.ts';
import { storeOption } from '../process/settings.ts';
import { confirm, type Terminal } from '../process/terminal.ts';
import { runInstall } from '../service/install-run.ts';
import { installationOf, platformOf } from '../service/installation.ts';
import { runCommands } from '../service/system-command.ts';

/** Only says how, where this computer could not keep a service on. */
export async function offerService(
  terminal: Terminal,
  variables: Variables & { readonly ACEQUIA_DB: string },
): Promise<void> {
  const kind = await availableKind();
  const work = variables.ACEQUIA_SMTP_URL
    ? 'Alerts are checked and mail is sent'
    : 'Alerts are checked';
  const question = `${work} only while Acequia is on. Keep it on in the background (${kind})?`;
  if (kind === null || !(await confirm(terminal, question, true))) {
    print(
      `${work} while an assistant or "acequia serve" is open. "acequia service install${storeOption(variables.ACEQUIA_DB)}" keeps Acequia on.\n`,
    );
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
