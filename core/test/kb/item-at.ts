/** The item at a position of a list; fails when there is none. */
export function itemAt<T extends object | string>(list: readonly T[], position: number): T {
  const item = list[position];
  if (item === undefined) throw new Error(`the list has ${list.length} items, none at ${position}`);
  return item;
}
