import { readFileSync } from 'node:fs';

/** Also for a process of another user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !hasEnded(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** In a container whose first process collects no others, the id of an ended one stays in use. */
function hasEnded(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may hold anything.
    return stat.slice(stat.lastIndexOf(')')).startsWith(') Z');
  } catch {
    // Other systems than Linux.
    return false;
  }
}
