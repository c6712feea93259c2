import { escapeXml } from '../../../domain/strings.ts';
import { RESTART_PAUSE_S } from './systemd-unit.ts';

interface LaunchAgent {
  readonly label: string;
  readonly command: readonly string[];
  /** Gets what the command prints before it opens its own log. */
  readonly errorFile: string;
}

/** Only the user may read what the program writes. */
const UMASK = 0o077;

/**
 * launchd restarts a command that exits with any code but 0. The command is therefore the keeper,
 * which exits with 0 where a restart would not help. Source: launchd.plist(5).
 */
export const formatAgent = ({ label, command, errorFile }: LaunchAgent): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${escapeXml(label)}</string>
  <key>ProgramArguments</key>
  <array>
${command.map((word) => `    <string>${escapeXml(word)}</string>\n`).join('')}  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>${RESTART_PAUSE_S}</integer>
  <key>ProcessType</key>
  <string>Background</string>
  <key>Umask</key>
  <integer>${UMASK}</integer>
  <key>StandardErrorPath</key>
  <string>${escapeXml(errorFile)}</string>
</dict>
</plist>
`;
