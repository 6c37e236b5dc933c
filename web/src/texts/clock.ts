export const clock = {
  left: (name: string, seconds: number) => `${name} has ${seconds} seconds left`,
};
