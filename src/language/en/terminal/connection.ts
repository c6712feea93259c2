/** The texts of "acequia connect", also within "acequia init". */
export const englishConnection = {
  newFile: 'new',
  unchanged: (client: string, path: string, name: string | undefined) =>
    `${client} already has this entry${name === undefined ? '' : ` "${name}"`} for Acequia: ${path}`,
  noEntry: (client: string, path: string, name: string | undefined) =>
    `${client} has no entry${name === undefined ? '' : ` "${name}"`} for Acequia: ${path}`,
  twin: (name: string) =>
    `The entry "${name}" starts Acequia as well: with both, every tool is listed twice.`,
  otherFarms: (names: string) =>
    `Entries for other farms: ${names}. The assistant tells their tools apart by these names.`,
  losesProgram: (name: string) => `The entry "${name}" starts another program.`,
  losesFarm: (name: string) =>
    `The entry "${name}" is for another store, service or key; --name keeps both.`,
  write: 'Write it?',
  replace: 'Replace it?',
  remove: 'Remove it?',
  declined: 'Nothing was changed. Use --yes to write without being asked.',
  keyAccepted: (company: string) => `The key is accepted for the company "${company}".`,
  starts: (client: string) => `${client} now starts Acequia; restart it for that to take effect.`,
  startsNoLonger: (client: string) =>
    `${client} no longer starts Acequia; restart it for that to take effect.`,
  backup: (path: string) => `Backup of the previous file: ${path}`,
  mustBeSet: (names: readonly string[], client: string) =>
    `${names.join(' and ')} must be set where ${client} is started; the file only refers to it.`,
  holds: (names: readonly string[]) =>
    `The file now holds ${names.join(' and ')}: keep the file private.`,
  refusals: {
    key: (command: string) => ({
      message: 'The store does not accept the key, so every tool would refuse.',
      hint: `Nothing was written. Make a key with "${command}", and set ACEQUIA_API_KEY to it for this command.`,
    }),
    folderOfNpx: (program: string) => ({
      message: `${program} is in the folder of npx, which may delete it at any time.`,
      hint: 'Put Acequia into a folder that stays, and run the same command of that copy.',
    }),
    notUtf8: (path: string) => ({
      message: `${path} is not written in UTF-8.`,
      hint: 'Nothing was written. Convert the file to UTF-8 first.',
    }),
    deadLink: (path: string) => ({
      message: `${path} is a link to a file that does not exist.`,
      hint: 'Nothing was written. Create that file, or remove the link, first.',
    }),
    changedMeanwhile: (path: string) => ({
      message: `${path} was changed by another program in the meantime.`,
      hint: 'Nothing was written. Run the command again.',
    }),
    notAFile: (path: string) => ({
      message: `${path} is a pipe or a device, not a file.`,
      hint: 'Nothing was changed. Put a file in its place.',
    }),
    noAccess: (path: string, code: string) => ({
      message: `${path} cannot be read and written by this user (${code}).`,
      hint: 'Nothing was changed. Check the permissions of the file and its folder.',
    }),
    notAnObject: (path: string, client: string, where: string) => ({
      message: `${path} has something other than an object at ${where === '' ? 'its root' : where}.`,
      hint: `Nothing was written. ${client} expects its servers there; fix the file first.`,
    }),
    unreadable: (
      path: string,
      client: string,
      { message }: { readonly message: string; readonly line: number; readonly column: number },
    ) => ({
      message: `${client} cannot read ${path}: ${message}.`,
      hint: 'Nothing was written. Fix the file there first; until then the client starts no server at all.',
    }),
    fixedForm: (path: string, entry: string) => ({
      message: `${path} writes ${entry} in a form that cannot be changed without touching the rest of the file.`,
      hint: 'Nothing was written. Change it by hand; "acequia connect --print" shows the entry.',
    }),
  },
};
