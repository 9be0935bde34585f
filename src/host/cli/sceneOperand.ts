/** The SCENE operand. */
export const sceneOperand = {
  name: 'SCENE',
  meaning: 'scene file (YAML or JSON), SUITE#PROBLEM, or the name of a scene of the package',
};
