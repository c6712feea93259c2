import qrcode from 'qrcode-generator';

/** Light modules around it, without which scanners do not find it. */
const MARGIN = 2;

/** Two rows of modules a line. What is light is drawn, because most terminals are dark; scanners read both. */
export function qrCodeLines(text: string): string[] {
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  const size = code.getModuleCount();
  const isLight = (row: number, column: number): boolean =>
    row < 0 || column < 0 || row >= size || column >= size || !code.isDark(row, column);
  const positions = Array.from({ length: size + 2 * MARGIN }, (_, index) => index - MARGIN);
  return positions
    .filter((row) => (row + MARGIN) % 2 === 0)
    .map((row) =>
      positions
        .map((column) => {
          const isLower = row + 1 < size + MARGIN && isLight(row + 1, column);
          if (isLight(row, column)) return isLower ? '█' : '▀';
          return isLower ? '▄' : ' ';
        })
        .join(''),
    );
}
