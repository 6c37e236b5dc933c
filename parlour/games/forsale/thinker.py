"""placeholder"""
class Thinker: pass
