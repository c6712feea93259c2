export const calibrationPhrases = {
  changed: (name: string, points: string) =>
    `${name} is calibrated: ${points}. The readings stay as they are stored; whatever shows or judges them uses the calibrated values.`,
  removed: (name: string, points: string) =>
    `${name} has no calibration any more; it was: ${points}.`,
  unchanged: (name: string) => `Nothing changed: ${name} already has this calibration.`,
  from: (date: string) => `, from ${date}`,
  inForce: (points: string) => `Calibration: ${points}.`,
  linesMoved: (moves: string) => `Its lines moved with the curve: ${moves}.`,
  alertsMoved: (moves: string) => `Its alerts moved too: ${moves}.`,
  move: (from: string, to: string) => `from ${from} to ${to} %`,
};
