import {luminance} from '../../../src/screens/parts/theme.ts';

const luminanceOf = (color: string): number =>
  luminance([1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16) / 255));

/** Returns the contrast between two colours, from 1 to 21 (WCAG 2.2). */
export const contrast = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

const xtermColors = ['#000000', '#cd0000', '#00cd00', '#cdcd00', '#0000ee', '#cd00cd', '#00cdcd', '#e5e5e5'];
const solarized = ['#073642', '#dc322f', '#859900', '#b58900', '#268bd2', '#d33682', '#2aa198', '#eee8d5'];

/** Common backgrounds, with the text's own colour on them, and the first eight colours of their palettes. */
export const backgrounds = [
  {name: 'white', back: '#ffffff', text: '#000000', colors: xtermColors},
  {name: 'black', back: '#000000', text: '#e5e5e5', colors: xtermColors},
  {name: 'Solarized light', back: '#fdf6e3', text: '#657b83', colors: solarized},
  {name: 'Solarized dark', back: '#002b36', text: '#839496', colors: solarized},
] as const;
