import qrcode from 'qrcode-generator';

/** Width of the light margin, in modules of the code. Scanners do not find a code without it. */
const MARGIN_MODULES = 2;

/**
 * Each line of text shows two rows of modules. Light modules are drawn, because most terminals are
 * dark; scanners read both.
 */
export function qrCodeLines(text: string): string[] {
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();

  const size = code.getModuleCount();
  const isLight = (row: number, column: number): boolean =>
    row < 0 || column < 0 || row >= size || column >= size || !code.isDark(row, column);

  const positions = Array.from(
    { length: size + 2 * MARGIN_MODULES },
    (_, index) => index - MARGIN_MODULES,
  );
  return positions
    .filter((row) => (row + MARGIN_MODULES) % 2 === 0)
    .map((row) =>
      positions
        .map((column) => {
          const isLowerLight = row + 1 < size + MARGIN_MODULES && isLight(row + 1, column);
          if (isLight(row, column)) return isLowerLight ? '█' : '▀';
          return isLowerLight ? '▄' : ' ';
        })
        .join(''),
    );
}
