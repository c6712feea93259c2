import { escapeXml } from '../../../domain/strings.ts';

interface ScheduledTask {
  readonly description: string;
  readonly command: readonly string[];
  /** DOMAIN\NAME */
  readonly user: string;
}

const BYTE_ORDER_MARK = '\ufeff';

/**
 * For a file in UTF-16. Windows restarts a task at the earliest after a minute, and not for every
 * code that it ends with, so the command is the keeper, which restarts the program itself.
 * Source: Task Scheduler Schema.
 */
export function formatTask({ description, command, user }: ScheduledTask): string {
  const [program = '', ...args] = command;
  return `${BYTE_ORDER_MARK}<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>${escapeXml(description)}</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <Enabled>true</Enabled>
      <UserId>${escapeXml(user)}</UserId>
    </LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${escapeXml(user)}</UserId>
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>999</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${escapeXml(program)}</Command>
      <Arguments>${escapeXml(args.map(quoteArgument).join(' '))}</Arguments>
    </Exec>
  </Actions>
</Task>
`.replaceAll('\n', '\r\n');
}

/** Backslashes count only before a quotation mark. Source: CommandLineToArgvW. */
const quoteArgument = (word: string): string =>
  /^[^\s"]+$/.test(word) ? word : `"${word.split('"').map(doubleLastBackslashes).join('\\"')}"`;

function doubleLastBackslashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\\') end--;
  return text + text.slice(end);
}
