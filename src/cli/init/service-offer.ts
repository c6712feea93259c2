import { itemAt } from '../../domain/items.ts';
import { languageOf } from '../../language/index.ts';
import { AcequiaError } from '../../schema/error.ts';
import type { Variables } from '../process/env-file.ts';
import { print } from '../process/output.ts';
import { storeOption } from '../process/settings.ts';
import { confirm } from '../process/terminal.ts';
import { type InstallDialog, runInstall } from '../service/install-run.ts';
import { managerHint, type ServicePlatform } from '../service/platforms/service-platform.ts';
import { installationOf, platformOf } from '../service/service-installation.ts';
import { runCommands } from '../service/system-command.ts';

/** Only says how, where this computer could not keep a service on. */
export async function offerService(
  dialog: InstallDialog,
  variables: Variables & { readonly ACEQUIA_DB: string },
): Promise<void> {
  const { terminal, lang, command } = dialog;
  const { interview: words } = languageOf(lang);
  const kind = await availableKind();
  const sendsMail = Boolean(variables.ACEQUIA_SMTP_URL);
  const isWanted = async (): Promise<boolean> =>
    kind !== null &&
    confirm(
      terminal,
      words.keepOn(languageOf(lang).service.kinds[kind], sendsMail),
      true,
      words.yesOrNo(true),
    );
  if (!(await isWanted())) {
    const store = storeOption(variables.ACEQUIA_DB);
    const [serve, install] = [`${command} serve${store}`, `${command} service install${store}`];
    print(`${words.onWhileOpen(serve, install, sendsMail)}\n`);
    return;
  }

  await runInstall({
    variables,
    isSystem: false,
    isConfirmed: false,
    keepsLingering: false,
    dialog,
  });
}

async function availableKind(): Promise<ServicePlatform['kind'] | null> {
  try {
    const { execPath, argv } = process;
    installationOf({ execPath, program: itemAt(argv, 1) }, null);
    const platform = platformOf(process.platform, { isSystem: false });
    await runCommands(platform.check, managerHint(platform));
    return platform.kind;
  } catch (error) {
    if (error instanceof AcequiaError) return null;
    throw error;
  }
}
