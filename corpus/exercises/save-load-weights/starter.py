import os
import random

import torch


def save_checkpoint(path, model, optimizer, scheduler, epoch):
    """__DOC__"""
    raise NotImplementedError


def load_checkpoint(path, model, optimizer, scheduler):
    raise NotImplementedError
