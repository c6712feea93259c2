interface Instruction {
  readonly name: string;
  readonly rest: string;
}

/** Continued lines are joined. */
export const instructionsOf = (dockerfile: string): readonly Instruction[] =>
  dockerfile
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => /^(\w+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, name, rest]) => ({ name: name!, rest: rest!.trim() }));
