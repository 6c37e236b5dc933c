/** Draws the map on a canvas. Cells are drawn once into a layer of their own and copied from there; after a round only
 * the cells that changed are drawn again. */
import { SEAT_SHAPES } from '../art';
import { shadeOf } from './land';
import { colourOf, rgbOf, type Palette } from './palette';
import { CHIP, ENERGY_BARS, GOLD_DOTS, HOME_CHIP, markOf, pipsOf, rimOf, SIGNS, UNITS } from './shapes';
import type { Cell, View } from './types';
import { axisStep, shownCells, type Size, type Viewport } from './viewport';

/** The layers above the map. */
export interface Overlay {
  readonly selected: Cell | null;
  readonly cursor: Cell | null;
  readonly hovered: Cell | null;
  /** Cells that can be taken now. */
  readonly targets: readonly Cell[];
  readonly orders: readonly { readonly cell: Cell; readonly text: string; readonly isBad: boolean }[];
  /** Cells with an order that failed in the last round. */
  readonly failed: readonly Cell[];
  /** From 1 to 0: how much the cells that were just taken are lit. */
  readonly flash: number;
}

/** Room for the numbers of columns and rows, in pixels of the page. */
export const GUTTER = { left: 28, top: 18 };

/** Below this many pixels a cell is one dot of colour; below the second, it has no marks. */
const DOT = 6;
const PLAIN = 11;
/** The largest layer of cells in pixels. Beyond it few cells are in sight, and they are drawn directly. */
const MOST_PIXELS = 10_000_000;
const RIMS = [1.5, 2.2, 3.2, 4.4] as const;

const PATHS = {
  e: new Path2D(SIGNS.e.path),
  g: new Path2D(SIGNS.g.path),
  h: new Path2D(SIGNS.h.path),
};
const SHAPES = SEAT_SHAPES.map((path) => new Path2D(path));

type Context = CanvasRenderingContext2D;

export class MapPainter {
  /** The map with one pixel for each cell. */
  readonly dots = document.createElement('canvas');
  #view: View | null = null;
  #palette: Palette | null = null;
  #ratio = 1;
  #frame: Size = { width: 0, height: 0 };
  readonly #context: Context;
  readonly #layer = document.createElement('canvas');
  readonly #sprites = new Map<string, HTMLCanvasElement>();
  /** Pixels per cell of the layer and the sprites; not a whole number. */
  #size = 0;
  /** By cell, whether the layer shows it as it is. */
  #isDrawn = new Uint8Array(0);
  #pixels: ImageData | null = null;
  #homes: Cell[] = [];
  #own: number | null = null;
  #taken: Cell[] = [];

  constructor(private readonly canvas: HTMLCanvasElement) {
    this.#context = canvas.getContext('2d')!;
  }

  /** Whether cells were taken in the last round, so that they can be lit. */
  get hasTaken(): boolean {
    return this.#taken.length > 0;
  }

  setPalette(palette: Palette): void {
    this.#palette = palette;
    this.#forget();
    this.#drawDots(null);
  }

  /** `frame` is the room for the map in pixels of the page, without the gutter. */
  resize(frame: Size, ratio: number): void {
    this.#frame = frame;
    this.#ratio = ratio;
    this.canvas.width = Math.round((frame.width + GUTTER.left) * ratio);
    this.canvas.height = Math.round((frame.height + GUTTER.top) * ratio);
  }

  /** `own` is the seat of the viewer; null: none. */
  setView(view: View, own: number | null): void {
    this.#own = own;
    const before = this.#view;
    if (before === view) return;
    this.#view = view;
    this.#homes = homesOf(view);
    const isSame = before?.width === view.width && before.height === view.height && before.turn <= view.turn;
    if (!isSame) {
      this.#taken = [];
      this.#forget();
      this.#drawDots(null);
      return;
    }
    const changed = changesOf(before, view);
    this.#taken = changed.filter((cell) => before.owner[cell] !== view.owner[cell]);
    for (const cell of changed) this.#stale(cell);
    this.#drawDots(changed);
  }

  #forget(): void {
    this.#sprites.clear();
    this.#size = 0;
  }

  /** The rims of the neighbours depend on the cell, too. */
  #stale(cell: Cell): void {
    const { width } = this.#view!;
    for (const each of [cell, cell - width, cell + width, cell - 1, cell + 1])
      if (each >= 0 && each < this.#isDrawn.length) this.#isDrawn[each] = 0;
  }

  paint(viewport: Viewport, overlay: Overlay): void {
    const [view, palette, context] = [this.#view, this.#palette, this.#context];
    if (view === null || palette === null || this.#frame.width <= 0) return;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.#axes(viewport, view, palette);
    context.save();
    const [left, top] = [Math.round(GUTTER.left * this.#ratio), Math.round(GUTTER.top * this.#ratio)];
    context.beginPath();
    context.rect(left, top, this.canvas.width - left, this.canvas.height - top);
    context.clip();
    const size = viewport.scale * this.#ratio;
    const [x, y] = [left - Math.round(viewport.x * size), top - Math.round(viewport.y * size)];
    context.translate(x, y);
    this.#cells(viewport, view, size);
    this.#signs(view, palette, size);
    this.#overlay(overlay, view, palette, size);
    context.restore();
  }

  // Cells

  #cells(viewport: Viewport, view: View, size: number): void {
    const context = this.#context;
    if (size < DOT) {
      context.imageSmoothingEnabled = false;
      context.drawImage(this.dots, 0, 0, view.width * size, view.height * size);
      context.imageSmoothingEnabled = true;
      return;
    }
    if (size !== this.#size) this.#begin(view, size);
    const { from, to } = shownCells(viewport, view, this.#frame);
    const isLayered = this.#layer.width > 0;
    const onto = isLayered ? this.#layer.getContext('2d')! : context;
    for (let y = from.y; y < to.y; y++) {
      for (let x = from.x; x < to.x; x++) {
        const cell = y * view.width + x;
        if (isLayered && this.#isDrawn[cell] === 1) continue;
        this.#cell(onto, view, cell, x, y);
        this.#isDrawn[cell] = 1;
      }
    }
    if (isLayered) this.#copy(from, to, size);
  }

  /** Copy the part of the layer that is in sight. */
  #copy(from: { x: number; y: number }, to: { x: number; y: number }, size: number): void {
    const [x, y] = [Math.round(from.x * size), Math.round(from.y * size)];
    const [width, height] = [Math.round(to.x * size) - x, Math.round(to.y * size) - y];
    this.#context.drawImage(this.#layer, x, y, width, height, x, y, width, height);
  }

  /** Another size of cells: nothing is drawn yet. */
  #begin(view: View, size: number): void {
    this.#size = size;
    this.#sprites.clear();
    const [width, height] = [Math.round(view.width * size), Math.round(view.height * size)];
    const fits = width * height <= MOST_PIXELS;
    this.#layer.width = fits ? width : 0;
    this.#layer.height = fits ? height : 0;
    this.#isDrawn = new Uint8Array(view.width * view.height);
  }

  #cell(onto: Context, view: View, cell: Cell, x: number, y: number): void {
    const size = this.#size;
    const [left, top] = [Math.round(x * size), Math.round(y * size)];
    const [width, height] = [Math.round((x + 1) * size) - left, Math.round((y + 1) * size) - top];
    const owner = view.owner[cell] ?? 0;
    onto.drawImage(this.#groundOf(owner), left, top, width, height);
    const building = view.building[cell] ?? ' ';
    if (size >= PLAIN && building === ' ') {
      const [gold, energy] = [markOf(view.natural_gold[cell] ?? 0), markOf(view.natural_energy[cell] ?? 0)];
      onto.drawImage(this.#marksOf(gold, energy), left, top);
    }
    if (owner > 0) this.#rims(onto, view, cell, { x, y, left, top, width, height });
    if (building === 'e' || building === 'g') onto.drawImage(this.#chipOf(building, view.level[cell] ?? 1), left, top);
  }

  /** A rim where another owner's land begins, thicker with the force field. */
  #rims(onto: Context, view: View, cell: Cell, at: Box): void {
    const { x, y, left, top, width, height } = at;
    const owner = view.owner[cell] ?? 0;
    const thick = Math.max(1, Math.round((RIMS[rimOf(view.force_field[cell] ?? 0)] ?? 1) * (this.#size / UNITS)));
    onto.fillStyle = colourOf(this.#palette!.rim, owner - 1);
    if (y === 0 || view.owner[cell - view.width] !== owner) onto.fillRect(left, top, width, thick);
    if (y === view.height - 1 || view.owner[cell + view.width] !== owner)
      onto.fillRect(left, top + height - thick, width, thick);
    if (x === 0 || view.owner[cell - 1] !== owner) onto.fillRect(left, top, thick, height);
    if (x === view.width - 1 || view.owner[cell + 1] !== owner) onto.fillRect(left + width - thick, top, thick, height);
  }

  #sprite(key: string, draw: (context: Context, unit: number) => void): HTMLCanvasElement {
    const known = this.#sprites.get(key);
    if (known !== undefined) return known;
    const sprite = document.createElement('canvas');
    sprite.width = sprite.height = Math.ceil(this.#size);
    const context = sprite.getContext('2d')!;
    const unit = this.#size / UNITS;
    context.setTransform(unit, 0, 0, unit, this.#size / 2, this.#size / 2);
    draw(context, unit);
    this.#sprites.set(key, sprite);
    return sprite;
  }

  /** Land of one owner, with a pattern, so that owners differ not only in colour. */
  #groundOf(owner: number): HTMLCanvasElement {
    const palette = this.#palette!;
    const seat = owner - 1;
    return this.#sprite(`ground ${owner}`, (context, unit) => {
      const half = UNITS / 2;
      context.fillStyle = owner === 0 ? palette.ground : colourOf(palette.land, seat);
      context.fillRect(-half - 1, -half - 1, UNITS + 2, UNITS + 2);
      if (owner > 0 && this.#size >= PLAIN) {
        context.strokeStyle = context.fillStyle = colourOf(palette.pattern, seat);
        pattern(context, (seat + Math.floor(seat / 6)) % 6);
      }
      context.fillStyle = palette.line;
      context.fillRect(-half, -half, UNITS, 1 / unit);
      context.fillRect(-half, -half, 1 / unit, UNITS);
    });
  }

  #marksOf(gold: number, energy: number): HTMLCanvasElement {
    const palette = this.#palette!;
    return this.#sprite(`marks ${gold} ${energy}`, (context) => {
      context.globalAlpha = [0.5, 0.8, 1][gold] ?? 1;
      context.fillStyle = palette.gold;
      disc(context, -5, 0, (GOLD_DOTS[gold] ?? 2) / 2);
      const height = ENERGY_BARS[energy] ?? 2;
      context.globalAlpha = [0.5, 0.75, 1][energy] ?? 1;
      context.fillStyle = palette.energy;
      context.fillRect(4, -height / 2, 2.4, height);
    });
  }

  #chipOf(building: 'e' | 'g', level: number): HTMLCanvasElement {
    const palette = this.#palette!;
    return this.#sprite(`${building} ${level}`, (context) => {
      chip(context, palette, building === 'e' ? palette.well : palette.mine, palette.cardInk, CHIP, 1);
      sign(context, palette, building, level);
    });
  }

  // Signs that are larger than a small cell

  #signs(view: View, palette: Palette, size: number): void {
    const unit = Math.max(size / UNITS, (0.42 * this.#ratio * 24) / UNITS);
    for (const cell of this.#homes) {
      const seat = (view.owner[cell] ?? 1) - 1;
      this.#at(view, cell, size, unit, (context) => {
        if (size < DOT * 1.5) {
          if (seat === this.#own) ring(context, palette);
          seatShape(context, palette, seat);
          return;
        }
        if (seat === this.#own) ring(context, palette);
        chip(context, palette, palette.card, colourOf(palette.rim, seat), HOME_CHIP, 3.4);
        sign(context, palette, 'h', view.level[cell] ?? 1);
      });
    }
  }

  /** Draw around the middle of a cell. */
  #at(view: View, cell: Cell, size: number, unit: number, draw: (context: Context) => void): void {
    const context = this.#context;
    context.save();
    context.translate(((cell % view.width) + 0.5) * size, (Math.floor(cell / view.width) + 0.5) * size);
    context.scale(unit, unit);
    draw(context);
    context.restore();
  }

  #overlay(overlay: Overlay, view: View, palette: Palette, size: number): void {
    const context = this.#context;
    const ratio = this.#ratio;
    const box = (cell: Cell, inset: number): [number, number, number, number] => {
      const [x, y] = [(cell % view.width) * size, Math.floor(cell / view.width) * size];
      return [x + inset, y + inset, size - 2 * inset, size - 2 * inset];
    };
    if (overlay.flash > 0) {
      context.globalAlpha = 0.55 * overlay.flash;
      context.fillStyle = palette.ink;
      for (const cell of this.#taken) context.fillRect(...box(cell, 0));
      context.globalAlpha = 1;
    }
    context.fillStyle = palette.brass;
    if (size >= DOT) for (const cell of overlay.targets) corner(context, box(cell, 0), ratio);
    for (const cell of overlay.failed) outlined(context, box(cell, ratio), palette.bad, 2 * ratio, []);
    for (const { cell, isBad } of overlay.orders)
      outlined(context, box(cell, ratio), isBad ? palette.bad : palette.ink, 2 * ratio, [4 * ratio, 3 * ratio]);
    for (const { cell, text, isBad } of overlay.orders) this.#badge(view, cell, size, text, isBad, palette);
    if (overlay.hovered !== null) outlined(context, box(overlay.hovered, 0), palette.ink, 1.5 * ratio, []);
    if (overlay.selected !== null) {
      outlined(context, box(overlay.selected, -2 * ratio), palette.room, 5 * ratio, []);
      outlined(context, box(overlay.selected, -2 * ratio), palette.brass, 2.5 * ratio, []);
    }
    if (overlay.cursor !== null) {
      outlined(context, box(overlay.cursor, -1 * ratio), palette.room, 5 * ratio, []);
      outlined(context, box(overlay.cursor, -1 * ratio), palette.ink, 2.5 * ratio, []);
    }
  }

  /** The number of an order in the list, at the corner of its cell. */
  #badge(view: View, cell: Cell, size: number, text: string, isBad: boolean, palette: Palette): void {
    const context = this.#context;
    const radius = Math.min(8, Math.max(6, viewRadius(size, this.#ratio))) * this.#ratio;
    const x = ((cell % view.width) + 1) * size - radius * 0.5;
    const y = Math.floor(cell / view.width) * size + radius * 0.5;
    context.fillStyle = isBad ? palette.bad : palette.brass;
    context.strokeStyle = palette.room;
    context.lineWidth = 1.5 * this.#ratio;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
    context.fillStyle = isBad ? palette.room : palette.brassInk;
    context.font = `700 ${Math.round(radius * 1.3)}px "Inter Variable", system-ui, sans-serif`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillText(text, x, y + radius * 0.08);
  }

  #axes(viewport: Viewport, view: View, palette: Palette): void {
    const context = this.#context;
    const ratio = this.#ratio;
    const { scale } = viewport;
    const { from, to } = shownCells(viewport, view, this.#frame);
    context.fillStyle = palette.inkSoft;
    context.font = `500 ${11 * ratio}px "Inter Variable", system-ui, sans-serif`;
    context.textBaseline = 'middle';
    const step = axisStep(scale, 22);
    // A map that is smaller than its frame lies in the middle, and the numbers beside it.
    const [left, top] = [Math.max(0, -viewport.x) * scale, Math.max(0, -viewport.y) * scale];
    context.textAlign = 'center';
    for (let x = Math.ceil(from.x / step) * step; x < to.x; x += step) {
      const at = GUTTER.left + (x + 0.5 - viewport.x) * scale;
      if (at > GUTTER.left) context.fillText(String(x), at * ratio, (top + GUTTER.top / 2 - 1) * ratio);
    }
    context.textAlign = 'right';
    for (let y = Math.ceil(from.y / step) * step; y < to.y; y += step) {
      const at = GUTTER.top + (y + 0.5 - viewport.y) * scale;
      if (at > GUTTER.top) context.fillText(String(y), (left + GUTTER.left - 5) * ratio, at * ratio);
    }
  }

  // The map as dots

  #drawDots(cells: readonly Cell[] | null): void {
    const [view, palette] = [this.#view, this.#palette];
    if (view === null || palette === null) return;
    if (this.#pixels?.width !== view.width || this.#pixels.height !== view.height) {
      this.dots.width = view.width;
      this.dots.height = view.height;
      this.#pixels = new ImageData(view.width, view.height);
    }
    const dots = new Dots(this.#pixels, view, palette);
    if (cells === null) for (let cell = 0; cell < view.owner.length; cell++) dots.draw(cell);
    else for (const cell of cells) dots.drawAround(cell);
    this.dots.getContext('2d')!.putImageData(this.#pixels, 0, 0);
  }
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** One pixel for each cell: its owner, brighter at borders. */
class Dots {
  readonly #free: readonly number[];
  readonly #land: number[];
  readonly #border: number[];
  readonly #pixels: Uint32Array;

  constructor(
    pixels: ImageData,
    private readonly view: View,
    palette: Palette,
  ) {
    this.#pixels = new Uint32Array(pixels.data.buffer);
    this.#free = palette.free.map(packed);
    this.#land = palette.land.map(packed);
    this.#border = palette.border.map(packed);
  }

  draw(cell: Cell): void {
    const owner = this.view.owner[cell] ?? 0;
    this.#pixels[cell] = owner === 0 ? this.#freeShade(cell) : this.#shade(cell, owner);
  }

  drawAround(cell: Cell): void {
    const { width, owner } = this.view;
    for (const each of [cell, cell - width, cell + width, cell - 1, cell + 1])
      if (each >= 0 && each < owner.length) this.draw(each);
  }

  #freeShade(cell: Cell): number {
    const { natural_gold: gold, natural_energy: energy } = this.view;
    return this.#free[shadeOf(gold[cell] ?? 0, energy[cell] ?? 0)] ?? 0;
  }

  #shade(cell: Cell, owner: number): number {
    const shades = this.#isBorder(cell, owner) ? this.#border : this.#land;
    return shades[(owner - 1) % shades.length] ?? 0;
  }

  #isBorder(cell: Cell, owner: number): boolean {
    const { width, owner: owners } = this.view;
    const x = cell % width;
    return (
      (x > 0 && owners[cell - 1] !== owner) ||
      (x < width - 1 && owners[cell + 1] !== owner) ||
      (owners[cell - width] ?? owner) !== owner ||
      (owners[cell + width] ?? owner) !== owner
    );
  }
}

/** As a pixel of an ImageData, on machines with the lowest byte first, which all of today's are. */
function packed(colour: string): number {
  const [red, green, blue] = rgbOf(colour);
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

function homesOf(view: View): Cell[] {
  const found: Cell[] = [];
  for (let cell = view.building.indexOf('h'); cell >= 0; cell = view.building.indexOf('h', cell + 1)) found.push(cell);
  return found;
}

/** The cells that look different in another view of the same map. */
export function changesOf(before: View, after: View): Cell[] {
  const changed: Cell[] = [];
  for (let cell = 0; cell < after.owner.length; cell++) {
    if (
      before.owner[cell] !== after.owner[cell] ||
      before.building[cell] !== after.building[cell] ||
      before.level[cell] !== after.level[cell] ||
      rimOf(before.force_field[cell] ?? 0) !== rimOf(after.force_field[cell] ?? 0)
    )
      changed.push(cell);
  }
  return changed;
}

// Shapes, in units of a cell around its middle

function disc(context: Context, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

/** Six patterns that go on from cell to cell. */
function pattern(context: Context, kind: number): void {
  const half = UNITS / 2;
  context.lineWidth = 1.3;
  context.beginPath();
  const line = (x: number, y: number, toX: number, toY: number) => {
    context.moveTo(x, y);
    context.lineTo(toX, toY);
  };
  for (const at of [-UNITS, -half, 0, half, UNITS]) {
    if (kind === 1) line(-half, at / 2, half, at / 2);
    if (kind === 2) line(at - half, half, at + half, -half);
    if (kind === 3) line(at - half, -half, at + half, half);
    if (kind === 4) line(at / 2, -half, at / 2, half);
  }
  context.stroke();
  if (kind === 5) for (const x of [-6, 6]) for (const y of [-6, 6]) disc(context, x, y, 1.5);
}

function chip(context: Context, palette: Palette, fill: string, rim: string, half: number, width: number): void {
  context.beginPath();
  context.roundRect(-half, -half, 2 * half, 2 * half, half * 0.45);
  context.fillStyle = fill;
  context.fill();
  if (width > 2) {
    context.strokeStyle = palette.cardInk;
    context.lineWidth = width + 1.6;
    context.stroke();
    context.fill();
  }
  context.strokeStyle = rim;
  context.lineWidth = width;
  context.stroke();
}

/** Around the viewer's own home. */
function ring(context: Context, palette: Palette): void {
  const half = HOME_CHIP + 4;
  context.beginPath();
  context.roundRect(-half, -half, 2 * half, 2 * half, half * 0.5);
  for (const [width, colour] of [
    [5, palette.room],
    [2.4, palette.ink],
  ] as const) {
    context.lineWidth = width;
    context.strokeStyle = colour;
    context.stroke();
  }
}

function sign(context: Context, palette: Palette, letter: 'e' | 'g' | 'h', level: number): void {
  const { scale, lift, pips, isLine } = SIGNS[letter];
  context.fillStyle = context.strokeStyle = palette.cardInk;
  context.save();
  context.translate(0, -lift);
  context.scale(scale, scale);
  context.lineJoin = 'round';
  context.lineWidth = 1.5;
  if (isLine) context.stroke(PATHS[letter]);
  else context.fill(PATHS[letter]);
  context.restore();
  for (const x of pipsOf(level)) disc(context, x, pips, 1.4);
}

function seatShape(context: Context, palette: Palette, seat: number): void {
  const shape = SHAPES[seat % 6]!;
  context.scale(1.3, 1.3);
  context.lineWidth = 4;
  context.strokeStyle = palette.room;
  context.stroke(shape);
  context.fillStyle = colourOf(palette.rim, seat);
  context.fill(shape);
}

/** A mark in the corner of a cell that can be taken. */
function corner(context: Context, [x, y, width]: [number, number, number, number], ratio: number): void {
  const side = Math.min(width * 0.3, 7 * ratio);
  context.beginPath();
  context.moveTo(x + ratio, y + ratio);
  context.lineTo(x + ratio + side, y + ratio);
  context.lineTo(x + ratio, y + ratio + side);
  context.fill();
}

function outlined(
  context: Context,
  box: [number, number, number, number],
  colour: string,
  width: number,
  dash: number[],
): void {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.setLineDash(dash);
  context.strokeRect(...box);
  context.setLineDash([]);
}

function viewRadius(size: number, ratio: number): number {
  return (size / ratio) * 0.32;
}
